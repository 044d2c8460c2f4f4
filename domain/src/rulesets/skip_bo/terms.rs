//! What is agreed before the game: options judged and made plain.

use super::moves::Options;
use super::rules::Rule;
use super::version::Version;
use crate::ruleset::Setup;
use crate::ruling::Violation;
use crate::seat::{MOST_SEATS, Seat};

/// What was agreed; it holds for the whole match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Terms {
    /// The version of the rules.
    pub version: Version,
    /// The number of players.
    pub seats: u8,
    /// The cards in each stock (SB-2.1, SB-2.2).
    pub stock_size: u8,
    /// The number of each seat's team (SB-2.4). Whoever plays alone is a team.
    pub teams: [u8; MOST_SEATS as usize],
    /// Whether a team-mate's stock may be played from (SB-4.1).
    pub partner_stock: bool,
    /// The score that ends the match; none for one round (SB-5.3).
    pub target_score: Option<u32>,
}

impl Terms {
    /// What a game is begun with, made plain.
    ///
    /// # Errors
    /// SB-2.2, SB-2.4 or SB-5.3 when an option is out of its bounds.
    pub fn agreed(setup: &Setup<Options>) -> Result<Self, Violation> {
        let (seats, options) = (setup.seats, &setup.options);
        Ok(Self {
            version: Version::numbered(setup.rules_version),
            seats,
            stock_size: stock_size(seats, options.stock_size)?,
            teams: match &options.teams {
                Some(teams) => team_of_each_seat(seats, teams)?,
                None => std::array::from_fn(|seat| seat as u8),
            },
            partner_stock: options.partner_stock,
            target_score: options.target_score.map(target_score).transpose()?,
        })
    }

    /// The members of a seat's team, in seat order, the seat among them.
    pub fn team(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        let teams = self.teams;
        Seat::all(self.seats).filter(move |other| teams[other.index()] == teams[seat.index()])
    }

    /// The team-mates of a seat, in seat order.
    pub fn team_mates(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        self.team(seat).filter(move |other| *other != seat)
    }

    /// The players of other teams, in seat order.
    pub fn opponents(&self, seat: Seat) -> impl Iterator<Item = Seat> + Clone + use<> {
        let teams = self.teams;
        Seat::all(self.seats).filter(move |other| teams[other.index()] != teams[seat.index()])
    }
}

fn stock_size(seats: u8, asked: Option<i64>) -> Result<u8, Violation> {
    let usual = if seats <= 4 { 30 } else { 20 };
    let most = if seats <= 3 { 40 } else { usual };
    let Some(asked) = asked else {
        return Ok(usual);
    };
    u8::try_from(asked)
        .ok()
        .filter(|size| (1..=most).contains(size))
        .ok_or_else(|| {
            let detail = format!(
                "with {seats} players a stock has 1 to {most} cards, and {asked} are asked"
            );
            Violation::of(Rule::StockSize, detail)
        })
}

fn target_score(asked: i64) -> Result<u32, Violation> {
    u32::try_from(asked)
        .ok()
        .filter(|score| (1..=10_000).contains(score))
        .ok_or_else(|| {
            let detail = format!("target_score is {asked}, and it is 1 to 10000, or null");
            Violation::of(Rule::Target, detail)
        })
}

fn team_of_each_seat(
    seats: u8,
    teams: &[Vec<i64>],
) -> Result<[u8; MOST_SEATS as usize], Violation> {
    let refuse = |detail: String| Err(Violation::of(Rule::Teams, detail));
    if !(2..=3).contains(&teams.len()) {
        return refuse(format!("there are 2 or 3 teams, not {}", teams.len()));
    }
    if teams.iter().any(|team| team.len() != teams[0].len()) {
        return refuse("the teams are not of one size".to_owned());
    }
    if teams[0].len() < 2 {
        return refuse("a team has 2 players at least".to_owned());
    }
    let mut team_of = [None; MOST_SEATS as usize];
    for (number, team) in (0_u8..).zip(teams) {
        for seat in team {
            let Some(place) = usize::try_from(*seat).ok().filter(|it| *it < seats.into()) else {
                return refuse(format!("there is no seat {seat} among {seats} players"));
            };
            if team_of[place].replace(number).is_some() {
                return refuse(format!("seat {seat} is named twice"));
            }
        }
    }
    if let Some(seat) = team_of.iter().take(seats.into()).position(Option::is_none) {
        return refuse(format!("seat {seat} is in no team"));
    }
    Ok(team_of.map(Option::unwrap_or_default))
}
