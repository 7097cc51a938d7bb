//! Writes the engine, and the JavaScript that loads it: `skewer-bindgen ENGINE.wasm FOLDER`. Pages take the engine that is packed by Zstandard.

use std::env;
use std::error::Error;
use std::fs;
use std::path::Path;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [engine, folder] = arguments.as_slice() else {
        return Err("usage: skewer-bindgen ENGINE.wasm FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).web(true)?.out_name("engine").remove_name_section(true);
    bindgen.generate(folder)?;
    let engine = Path::new(folder).join("engine_bg.wasm");
    fs::write(engine.with_extension("wasm.zst"), zstd::bulk::compress(&fs::read(&engine)?, 22)?)?;
    Ok(())
}
