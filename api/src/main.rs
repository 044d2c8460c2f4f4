//! The `referee` binary. See [`api::cli`].

fn main() -> std::process::ExitCode {
    api::cli::run()
}
