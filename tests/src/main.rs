//! The `referee` binary under a name of this package: Cargo tells tests where their own package's
//! binaries are.

fn main() -> std::process::ExitCode {
    api::cli::run()
}
