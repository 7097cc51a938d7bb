//! Games that are examined together.

use super::games::Reach;

/// Successive games of a batch that wait until there are enough of them.
///
/// Each search goes from one of them to the next with all that it needs at hand. To go from search to search with each game takes longer
/// where there are many.
pub(super) struct Window<Game> {
    slots: Vec<Slot<Game>>,
    /// How many of them have a game that waits.
    filled: usize,
    /// How many games are examined together.
    size: usize,
    /// Of games that do not wait.
    pub(super) whole: Whole<Game>,
}

/// A game that waits.
#[derive(Default)]
pub(super) struct Slot<Game> {
    pub(super) game: Game,
    pub(super) seen: Seen,
    pub(super) whole: Whole<Game>,
}

/// What is known of a game beside itself.
#[derive(Clone, Copy)]
pub(super) struct Seen {
    /// Its index in the batch.
    pub(super) index: usize,
    pub(super) reach: Reach,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen {
            index: 0,
            reach: Reach::Nothing,
        }
    }
}

/// From so many searches on, games are examined together.
const SEARCHES: usize = 4;

/// So many games are, at most 64.
const GAMES: usize = 16;

impl<Game: Default> Window<Game> {
    /// For so many searches that see the same of each game.
    pub(super) fn of(searches: usize) -> Window<Game> {
        Window {
            slots: Vec::new(),
            filled: 0,
            size: if searches < SEARCHES { 1 } else { GAMES },
            whole: Whole::default(),
        }
    }

    /// Whether games wait at all.
    pub(super) fn takes_some(&self) -> bool {
        self.size > 1
    }

    /// The place of the next game.
    pub(super) fn place(&self) -> usize {
        self.filled
    }

    /// Has a game wait, and gives another one for it; whether there are enough now.
    pub(super) fn push(&mut self, game: &mut Game, seen: Seen) -> bool {
        if self.filled == self.slots.len() {
            self.slots.push(Slot::default());
        }
        if let Some(slot) = self.slots.get_mut(self.filled) {
            std::mem::swap(game, &mut slot.game);
            slot.seen = seen;
            slot.whole.is_read = false;
            self.filled += 1;
        }
        self.filled >= self.size
    }

    /// The games that wait, which do so no longer.
    pub(super) fn take(&mut self) -> &mut [Slot<Game>] {
        let filled = std::mem::take(&mut self.filled);
        self.slots.get_mut(..filled).unwrap_or_default()
    }
}

/// A game with all that is in it, once somebody has needed it.
pub(super) struct Whole<Game> {
    game: Option<Game>,
    /// It is the game that is being examined; else its memory may be used for that.
    pub(super) is_read: bool,
}

impl<Game> Default for Whole<Game> {
    fn default() -> Whole<Game> {
        Whole {
            game: None,
            is_read: false,
        }
    }
}

impl<Game> Whole<Game> {
    /// The game that is being examined, which is read if it has not been yet.
    pub(super) fn get_or_read<E>(&mut self, read: impl FnOnce(Option<Game>) -> Result<Game, E>) -> Result<&Game, E> {
        let game = match self.game.take() {
            Some(game) if self.is_read => game,
            spare => read(spare)?,
        };
        self.is_read = true;
        Ok(self.game.insert(game))
    }

    /// Forgets a game that takes much memory.
    pub(super) fn forget_if(&mut self, is_large: impl Fn(&Game) -> bool) {
        self.game.take_if(|game| is_large(game));
    }
}
