//! The program `upheaval`.

fn main() -> std::process::ExitCode {
    upheaval_cli::main()
}
