//! Packs files into the program: the library of queries, `queries/`, with the games that its self-tests use, and the front end of
//! `skewer ui`, `web/dist`, if it was built.

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    #[cfg(feature = "library")]
    library::pack()?;
    #[cfg(feature = "ui")]
    front_end::pack()?;
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

    /// The games that self-tests of the library use, relative to the folder above `queries`.
    const GAMES: &str = "examples/classics.pgn";

    /// Packs the queries and the games.
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

    /// Adds the queries of a folder and its subfolders, each with its path in the library, without `.cql`.
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

#[cfg(feature = "ui")]
mod front_end {
    use std::env;
    use std::fs;
    use std::io::{self, Write};
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    /// The folder of the front end's sources.
    const SOURCES: &str = "web";
    /// The folder where Vite puts the front end.
    const BUILT: &str = "web/dist";
    /// The playground in that folder, a site that needs no server.
    const PLAYGROUND: &str = "web/dist/playground";

    /// Packs the front end. If it was not built, the list of its files is empty.
    pub(super) fn pack() -> io::Result<()> {
        let built = Path::new(BUILT);
        // If a path named here is missing, Cargo runs this program at every build. So the sources are watched until the front end is built.
        let watched = [BUILT, SOURCES].into_iter().find(|folder| Path::new(folder).is_dir());
        if let Some(folder) = watched {
            println!("cargo::rerun-if-changed={folder}");
        }
        let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo names no folder for what is built"))?;
        let out = Path::new(&out);
        let mut paths = Vec::new();
        if built.is_dir() {
            add_files(built, "", &mut paths)?;
        }
        paths.sort();
        let mut table = String::from("&[\n");
        for (number, path) in paths.iter().enumerate() {
            let mut packed = GzEncoder::new(Vec::new(), Compression::best());
            packed.write_all(&fs::read(built.join(path))?)?;
            let name = format!("front_end_{number}.gz");
            fs::write(out.join(&name), packed.finish()?)?;
            table += &format!(
                "    File {{ path: {path:?}, kind: {:?}, packed: include_bytes!(concat!(env!(\"OUT_DIR\"), \"/{name}\")) }},\n",
                kind(path)
            );
        }
        table += "]\n";
        fs::write(out.join("front_end.rs"), table)
    }

    /// Adds the files of a folder and its subfolders, each with its path in the front end.
    fn add_files(folder: &Path, above: &str, paths: &mut Vec<String>) -> io::Result<()> {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            let Some(name) = path.file_name().and_then(|name| name.to_str()) else {
                continue;
            };
            if path.is_file() {
                paths.push(format!("{above}{name}"));
            } else if path != Path::new(PLAYGROUND) {
                add_files(&path, &format!("{above}{name}/"), paths)?;
            }
        }
        Ok(())
    }

    /// Returns the media type of a file.
    fn kind(path: &str) -> &'static str {
        match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("svg") => "image/svg+xml",
            Some("png") => "image/png",
            Some("ico") => "image/x-icon",
            Some("woff2") => "font/woff2",
            Some("wasm") => "application/wasm",
            Some("json" | "map") => "application/json",
            Some("webmanifest") => "application/manifest+json",
            Some("txt") => "text/plain; charset=utf-8",
            _ => "application/octet-stream",
        }
    }
}
