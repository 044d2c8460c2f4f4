//! The server that is compared with: it reads a JSON body, answers in JSON, and does nothing else.
//!
//! Both are as long as they are for a move, so that what differs is what a move costs beside them.

use std::io::{self, Write};

use actix_web::web::{self, Json};
use actix_web::{App, HttpResponse, HttpServer};
use serde::{Deserialize, Serialize};

/// What is sent: as long as a move.
pub(super) const BODY: &str = r#"{"seat":0,"move":{"type":"reveal","slot":"c4"}}"#;

/// How often it is sent back: 1.3 kB, which is what the answer to a move has in the mean over all
/// games.
const TIMES: usize = 27;

/// What comes back.
pub(super) fn answer() -> String {
    format!("[{}]", [BODY; TIMES].join(","))
}

#[derive(Serialize, Deserialize)]
struct Posted {
    seat: u8,
    #[serde(rename = "move")]
    mv: Move,
}

#[derive(Serialize, Deserialize)]
struct Move {
    r#type: String,
    slot: String,
}

/// Serves on a free port, which it prints as the referee does, until the process is ended.
///
/// # Errors
/// When it cannot listen.
pub fn serve() -> io::Result<()> {
    actix_web::rt::System::new().block_on(async {
        let server =
            HttpServer::new(|| App::new().route("/", web::post().to(echo))).bind("127.0.0.1:0")?;
        for address in server.addrs() {
            let mut out = io::stdout().lock();
            writeln!(out, "listening on http://{address}")?;
            out.flush()?;
        }
        server.run().await
    })
}

async fn echo(posted: Json<Posted>) -> HttpResponse {
    HttpResponse::Ok().json([&*posted; TIMES])
}
