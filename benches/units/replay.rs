//! The unit of all figures: a plain replay of the games.

use std::error::Error;
use std::fs::File;
use std::io::BufReader;
use std::ops::ControlFlow;
use std::path::Path;
use std::time::{Duration, Instant};

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, Position};

/// How often each measurement is repeated; the fastest counts.
const REPEATS: usize = 5;

/// The shortest time that something takes.
pub(crate) fn fastest(mut run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<Duration, Box<dyn Error>> {
    let mut best = Duration::MAX;
    for _ in 0..REPEATS {
        let start = Instant::now();
        run()?;
        best = best.min(start.elapsed());
    }
    Ok(best)
}

/// How long a plain replay takes.
#[derive(Clone, Copy)]
pub(crate) struct Unit(Duration);

impl Unit {
    /// Measures the unit on the games of a PGN file.
    pub(crate) fn of(games: &Path) -> Result<Unit, Box<dyn Error>> {
        fastest(|| replay(games).map(|_| ())).map(Unit)
    }

    /// The unit in seconds.
    pub(crate) fn seconds(self) -> f64 {
        self.0.as_secs_f64()
    }

    /// The shortest time that something takes, in units.
    pub(crate) fn measure(self, run: impl FnMut() -> Result<(), Box<dyn Error>>) -> Result<f64, Box<dyn Error>> {
        Ok(fastest(run)?.as_secs_f64() / self.seconds())
    }
}

/// Plays the moves of games and does nothing else.
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

/// Plays all games of a PGN file; how many moves they have.
pub(crate) fn replay(games: &Path) -> Result<u64, Box<dyn Error>> {
    let mut replay = Replay::default();
    let mut reader = Reader::new(BufReader::new(File::open(games)?));
    while reader.read_game(&mut replay)?.is_some() {}
    Ok(replay.moves)
}
