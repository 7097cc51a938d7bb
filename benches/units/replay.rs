//! The unit of all measurements: a plain replay of the games.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

/// How often each measurement is repeated. The fastest run counts.
const REPEATS: usize = 5;

/// Returns how long `run` takes.
fn time(run: impl FnOnce() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let start = Instant::now();
    run()?;
    Ok(start.elapsed())
}

/// Measures a plain replay. Machines change their speed from second to second, so the replay is measured again with each measurement.
pub(crate) struct Unit {
    /// The PGN file that is replayed.
    games: PathBuf,
}

impl Unit {
    /// Creates the unit for the games of a PGN file.
    pub(crate) fn of(games: &Path) -> Unit {
        Unit {
            games: games.to_owned(),
        }
    }

    /// Returns the current length of the unit in seconds.
    pub(crate) fn seconds(&self) -> Result<f64, Box<dyn Error>> {
        let mut best = Duration::MAX;
        for _ in 0..REPEATS {
            best = best.min(self.replayed()?);
        }
        Ok(best.as_secs_f64())
    }

    /// Returns the shortest time of `run` in units. Each run is measured after a replay, and the shortest replay is the unit.
    pub(crate) fn measure(&self, mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
        let (mut unit, mut best) = (Duration::MAX, Duration::MAX);
        for _ in 0..REPEATS {
            unit = unit.min(self.replayed()?);
            best = best.min(time(&mut run)?);
        }
        Ok(best.as_secs_f64() / unit.as_secs_f64())
    }

    fn replayed(&self) -> Result<Duration, Box<dyn Error>> {
        time(|| replay(&self.games).map(|_| ()))
    }
}

/// Plays the moves of games and counts them.
#[derive(Default)]
struct Replay {
    moves: u64,
}

impl Visitor for Replay {
    type Tags = ();
    type Movetext = Chess;
    type Output = ();

    fn begin_tags(&mut self) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn tag(&mut self, (): &mut (), _: &[u8], _: RawTag<'_>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, (): ()) -> ControlFlow<(), Chess> {
        ControlFlow::Continue(Chess::default())
    }

    fn san(&mut self, position: &mut Chess, san: SanPlus) -> ControlFlow<()> {
        match san.san.to_move(position) {
            Ok(played) => {
                position.play_unchecked(played);
                self.moves += 1;
                ControlFlow::Continue(())
            }
            Err(_) => ControlFlow::Break(()),
        }
    }

    fn end_game(&mut self, _: Chess) {}
}

/// Plays all games of a PGN file. Returns how many moves they have.
pub(crate) fn replay(games: &Path) -> Result<u64, Box<dyn Error>> {
    let mut replay = Replay::default();
    let mut reader = Reader::new(BufReader::new(File::open(games)?));
    while reader.read_game(&mut replay)?.is_some() {}
    Ok(replay.moves)
}
