//! Packs the library of queries, `queries/`, and the games that its self-tests name, into the program.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "library")]
    library::pack()?;
    Ok(())
}

#[cfg(feature = "library")]
mod library {
    use std::env;
    use std::fs;
    use std::io::{self, Write};
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::ZlibEncoder;

    /// The games that self-tests of the library name, by their place above `queries`.
    const GAMES: &str = "examples/classics.pgn";

    /// Packs everything.
    pub(super) fn pack() -> io::Result<()> {
        println!("cargo::rerun-if-changed=queries");
        println!("cargo::rerun-if-changed={GAMES}");
        let mut files = Vec::new();
        add_queries(Path::new("queries"), "", &mut files)?;
        files.sort();
        let mut texts = ZlibEncoder::new(Vec::new(), Compression::best());
        let mut table = String::from("&[\n");
        for (name, text) in &files {
            texts.write_all(text.as_bytes())?;
            table += &format!("    ({name:?}, {}),\n", text.len());
        }
        table += "]\n";
        let games = fs::read(GAMES)?;
        texts.write_all(&games)?;
        let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no folder for what is built"))?;
        let out = Path::new(&out);
        fs::write(out.join("library.zlib"), texts.finish()?)?;
        fs::write(out.join("library.rs"), table)
    }

    /// Adds the queries of a folder and of those inside, each with its path in the library, without `.cql`.
    fn add_queries(folder: &Path, above: &str, files: &mut Vec<(String, String)>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(stem) = path.file_stem().and_then(|stem| stem.to_str()) else {
                continue;
            };
            if path.is_dir() {
                add_queries(&path, &format!("{above}{stem}/"), files)?;
            } else if path.extension().is_some_and(|extension| extension == "cql") {
                files.push((format!("{above}{stem}"), fs::read_to_string(&path)?));
            }
        }
        Ok(())
    }
}
