//! The part of wasm-bindgen's command that wasm-pack calls. The whole command has a test runner and a web server inside and takes
//! twice as long to compile; and this one has a lock file of ours, so that the glue it writes does not drift.

use std::{env, process::ExitCode};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments == ["--version"] {
        println!("wasm-bindgen {}", env!("CARGO_PKG_VERSION"));
        return ExitCode::SUCCESS;
    }
    match generate(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("wasm-bindgen: {problem}");
            ExitCode::FAILURE
        }
    }
}

fn generate(arguments: &[String]) -> Result<(), String> {
    let mut bindgen = Bindgen::new();
    let mut out_dir = String::from(".");
    let mut arguments = arguments.iter();
    while let Some(argument) = arguments.next() {
        let mut value = || {
            arguments
                .next()
                .ok_or(format!("{argument}: a value is missing"))
        };
        match argument.as_str() {
            "--out-dir" => out_dir = value()?.clone(),
            "--out-name" => {
                bindgen.out_name(value()?);
            }
            "--target" => match value()?.as_str() {
                "web" => {
                    bindgen.web(true).map_err(|error| error.to_string())?;
                }
                target => return Err(format!("--target: expected web, got {target}")),
            },
            "--typescript" => {
                bindgen.typescript(true);
            }
            "--omit-default-module-path" => {
                bindgen.omit_default_module_path(true);
            }
            path if !path.starts_with('-') => {
                bindgen.input_path(path);
            }
            unknown => return Err(format!("unknown option {unknown}")),
        }
    }
    bindgen
        .generate(out_dir)
        .map_err(|error| format!("{error:#}"))
}
