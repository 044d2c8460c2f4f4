//! The keys that receipts are verified with.

use actix_web::get;
use actix_web::web::{Data, Json};
use serde::Serialize;
use utoipa::ToSchema;

use crate::keys::{PublicKey, ReceiptKey};

/// The public keys.
#[derive(Serialize, ToSchema)]
pub struct KeyList {
    /// All that receipts may be signed with; a receipt's `key` names one of them.
    keys: Vec<PublicKey>,
}

/// Lists the public keys
///
/// A receipt is an Ed25519 signature over the RFC 8785 (JCS) form of the receipt without
/// `signature`, by the key that it names. Keep the keys with the receipts: together they prove what
/// the record said, whatever becomes of the server.
#[utoipa::path(
    tag = "service",
    operation_id = "list_keys",
    responses((status = 200, description = "The public keys", body = KeyList))
)]
#[get("/v1/keys")]
pub(crate) async fn list(key: Data<ReceiptKey>) -> Json<KeyList> {
    Json(KeyList {
        keys: vec![key.public()],
    })
}
