//! Writes the JavaScript that loads the engine: `skewer-bindgen ENGINE.wasm FOLDER`.

use std::env;
use std::error::Error;

use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<_> = env::args_os().skip(1).collect();
    let [engine, folder] = arguments.as_slice() else {
        return Err("usage: skewer-bindgen ENGINE.wasm FOLDER".into());
    };
    let mut bindgen = Bindgen::new();
    bindgen.input_path(engine).web(true)?.out_name("engine");
    bindgen.generate(folder)?;
    Ok(())
}
