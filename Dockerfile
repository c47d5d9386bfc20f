# The program and the Python package with Ray, for every node of a cluster (docs/cluster.md).
FROM rust:1.95-bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends python3 python3-pip python3-venv && rm -rf /var/lib/apt/lists/*
WORKDIR /upheaval
COPY . .
RUN cargo build --release --locked
RUN python3 -m venv /venv && /venv/bin/pip wheel --no-deps --wheel-dir /wheels ./python

FROM python:3.11-slim-bookworm
COPY --from=build /upheaval/target/release/upheaval /usr/local/bin/upheaval
COPY --from=build /wheels /wheels
RUN apt-get update && apt-get install -y --no-install-recommends openssh-client rsync && rm -rf /var/lib/apt/lists/*
RUN pip install --no-cache-dir /wheels/*.whl "ray[default]" cloudpickle boto3 && rm -r /wheels
ENV RAY_USAGE_STATS_ENABLED=0
WORKDIR /work
CMD ["upheaval", "--help"]
