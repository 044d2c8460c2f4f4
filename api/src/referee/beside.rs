//! What is kept beside the chain: names, which a person may want erased one day, and what opens
//! seats that are yet to be claimed.

use domain::record::{Hash, canonical};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::auth::TokenHash;

/// What is kept beside the chain of a game.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Beside {
    /// The players' names, in seat order.
    pub names: Vec<String>,
    /// 16 random bytes in hex, hashed with the names into the chain.
    pub names_salt: String,
    /// Whether the creator gave the dealer's secret.
    pub seeded: bool,
    /// For each seat, what claims it; none where the creator got the token.
    pub claims: Vec<Option<Claim>>,
}

/// What claims a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// SHA-256 of the claim code, in hex.
    code: Hash,
    /// 32 random bytes in hex, from which and the code the seat's token follows. So the token need
    /// not be kept for a claim that is sent twice, the creator cannot work it out from the code, and
    /// nobody can from the store.
    salt: Hash,
}

impl Beside {
    /// SHA-256 over the salt's 16 bytes and the JCS form of the list of names.
    pub fn names_digest(&self) -> Hash {
        let salt = hex::decode(&self.names_salt).unwrap_or_default();
        Hash::of_parts(&[&salt, canonical(&self.names).as_bytes()])
    }

    /// As it is stored.
    pub fn to_json(&self) -> String {
        serde_json::to_string(self).expect("names have a JSON form")
    }

    /// From what was stored.
    ///
    /// # Errors
    /// When it was not written by this version or one before it.
    pub fn from_json(text: &str) -> Result<Self, serde_json::Error> {
        serde_json::from_str(text)
    }
}

impl Claim {
    /// What is kept of a claim code.
    pub fn of(code: TokenHash, salt: [u8; 32]) -> Self {
        Self {
            code: Hash(code.0),
            salt: Hash(salt),
        }
    }

    /// Whether this is the code's hash.
    pub fn is_opened_by(&self, code: &TokenHash) -> bool {
        TokenHash(self.code.0) == *code
    }

    /// The random part of the token that a code gives: 20 bytes.
    pub fn token_bytes(&self, code: &str) -> [u8; 20] {
        let digest = Sha256::new()
            .chain_update(self.salt.0)
            .chain_update(code)
            .finalize();
        std::array::from_fn(|place| digest[place])
    }
}
