//! The server's Ed25519 key (RFC 8032) and the receipts that it signs.
//!
//! A chain of hashes cannot show that its tail is gone. A receipt that a player kept can: it says,
//! over a signature, which hash the record ended with.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::{OpenOptionsExt, PermissionsExt};
use std::path::{Path, PathBuf};

use aws_lc_rs::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use domain::record::canonical;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use utoipa::ToSchema;

/// What the server signs with.
pub struct ReceiptKey {
    key: Ed25519KeyPair,
    id: String,
}

/// Why there is no key to sign with.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// It could not be read or made.
    #[error("cannot use the signing key {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Others than its owner can read or write the file.
    #[error("the signing key {path} has mode {mode:04o}: only its owner may have access (0600)")]
    Exposed {
        /// The file.
        path: PathBuf,
        /// Its permission bits.
        mode: u32,
    },
    /// It is not the form that [`ReceiptKey::open`] writes.
    #[error("the signing key {path} is not 64 hexadecimal digits")]
    Malformed {
        /// The file.
        path: PathBuf,
    },
    /// The operating system gave no random bytes.
    #[error("no random bytes for a signing key: {0}")]
    Random(getrandom::Error),
}

impl ReceiptKey {
    /// The key in the file at `path`, which is made, with mode 0600, when it is not there. The file
    /// holds the 32 bytes of the secret as hexadecimal digits.
    pub fn open(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::Io {
            path: path.to_owned(),
            source,
        };
        match File::open(path) {
            Ok(file) => Self::read(file, path),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let mut secret = [0; 32];
                getrandom::fill(&mut secret).map_err(KeyError::Random)?;
                write_new(path, &secret).map_err(failed)?;
                Ok(Self::from_secret(&secret))
            }
            Err(error) => Err(failed(error)),
        }
    }

    fn read(file: File, path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::Io {
            path: path.to_owned(),
            source,
        };
        let mode = file.metadata().map_err(failed)?.permissions().mode() & 0o7777;
        if mode & 0o077 != 0 {
            return Err(KeyError::Exposed {
                path: path.to_owned(),
                mode,
            });
        }
        let mut content = Vec::new();
        file.take(128).read_to_end(&mut content).map_err(failed)?;
        let mut secret = [0; 32];
        hex::decode_to_slice(content.trim_ascii(), &mut secret).map_err(|_| {
            KeyError::Malformed {
                path: path.to_owned(),
            }
        })?;
        Ok(Self::from_secret(&secret))
    }

    fn from_secret(secret: &[u8; 32]) -> Self {
        let key = Ed25519KeyPair::from_seed_unchecked(secret).expect("any 32 bytes are a seed");
        let id = key_id(key.public_key().as_ref());
        Self { key, id }
    }

    /// The public half, as clients get it.
    pub fn public(&self) -> PublicKey {
        PublicKey {
            key: self.id.clone(),
            algorithm: Algorithm::Ed25519,
            public_key: hex::encode(self.key.public_key()),
        }
    }

    /// 20 bytes that follow from a purpose and that nobody without the key can work out: the digest
    /// of a signature, which RFC 8032 makes the same each time. Receipts sign JSON objects, so no
    /// receipt is one of these.
    pub fn derive(&self, purpose: &[&str]) -> [u8; 20] {
        let purpose = serde_json::to_string(purpose).expect("strings have a JSON form");
        let digest = Sha256::digest(self.key.sign(purpose.as_bytes()));
        std::array::from_fn(|place| digest[place])
    }

    /// Signs that the record of `game` has `hash` at `version`.
    pub fn sign(&self, game: String, version: u64, hash: String) -> Receipt {
        let claim = Claim {
            game: &game,
            hash: &hash,
            key: &self.id,
            version,
        };
        let signature = hex::encode(self.key.sign(claim.canonical().as_bytes()));
        Receipt {
            game,
            version,
            hash,
            key: self.id.clone(),
            signature,
        }
    }
}

/// What a signature is made over: a receipt without it, in RFC 8785 (JCS) form.
#[derive(Serialize)]
struct Claim<'a> {
    game: &'a str,
    hash: &'a str,
    key: &'a str,
    version: u64,
}

impl Claim<'_> {
    fn canonical(&self) -> String {
        canonical(self)
    }
}

/// The server's word that a game's record had this hash at this version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Receipt {
    /// The game.
    #[schema(format = "uuid", example = "019ad0c4-8f5e-7b60-a7c1-3f0a4d3c9e21")]
    pub game: String,
    /// The version, which is the seq of the last event.
    #[schema(example = 9)]
    pub version: u64,
    /// The hash of that event, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{64}$")]
    pub hash: String,
    /// Which of the public keys verifies it.
    #[schema(pattern = "^[0-9a-f]{16}$")]
    pub key: String,
    /// Ed25519 over the RFC 8785 (JCS) form of the other fields, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{128}$")]
    pub signature: String,
}

impl Receipt {
    /// Whether the holder of `key` signed this.
    pub fn is_signed_by(&self, key: &PublicKey) -> bool {
        let (Ok(public), Ok(signature)) =
            (hex::decode(&key.public_key), hex::decode(&self.signature))
        else {
            return false;
        };
        let Receipt {
            game,
            version,
            hash,
            key: id,
            ..
        } = self;
        let claim = Claim {
            game,
            hash,
            key: id,
            version: *version,
        };
        *id == key_id(&public)
            && UnparsedPublicKey::new(&ED25519, public)
                .verify(claim.canonical().as_bytes(), &signature)
                .is_ok()
    }
}

/// The signature algorithms in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub enum Algorithm {
    /// RFC 8032.
    Ed25519,
}

/// A key that receipts can be verified with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct PublicKey {
    /// Its name: the first 8 bytes of the SHA-256 of the public key, in hexadecimal digits.
    #[schema(pattern = "^[0-9a-f]{16}$", example = "21fe31dfa154a261")]
    pub key: String,
    /// How it signs.
    pub algorithm: Algorithm,
    /// Its 32 bytes in hexadecimal digits.
    #[schema(
        pattern = "^[0-9a-f]{64}$",
        example = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
    )]
    pub public_key: String,
}

fn key_id(public: &[u8]) -> String {
    hex::encode(&Sha256::digest(public)[..8])
}

/// Made under its final name, since a second process must not make another one; synced together
/// with its directory, since a lost key would make every receipt worthless.
fn write_new(path: &Path, secret: &[u8; 32]) -> io::Result<()> {
    let mut file = OpenOptions::new()
        .write(true)
        .create_new(true)
        .mode(0o600)
        .open(path)?;
    writeln!(file, "{}", hex::encode(secret))?;
    file.sync_all()?;
    let directory = match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    };
    File::open(directory)?.sync_all()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn fresh() -> (tempfile::TempDir, PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("referee.db.key");
        (directory, path)
    }

    #[test]
    fn the_key_is_made_once_for_its_owner_alone() {
        let (_directory, path) = fresh();
        let made = ReceiptKey::open(&path).unwrap();
        assert_eq!(
            fs::metadata(&path).unwrap().permissions().mode() & 0o7777,
            0o600
        );
        assert_eq!(ReceiptKey::open(&path).unwrap().public(), made.public());
    }

    #[test]
    fn a_key_that_others_can_read_is_refused() {
        let (_directory, path) = fresh();
        ReceiptKey::open(&path).unwrap();
        for mode in [0o640, 0o604, 0o620] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let refused = ReceiptKey::open(&path);
            assert!(matches!(refused, Err(KeyError::Exposed { mode: found, .. }) if found == mode));
        }
    }

    #[test]
    fn a_malformed_key_is_refused_and_kept() {
        let (_directory, path) = fresh();
        ReceiptKey::open(&path).unwrap();
        for content in ["", "abc", &"0".repeat(66), &"g".repeat(64)] {
            fs::write(&path, content).unwrap();
            assert!(
                matches!(ReceiptKey::open(&path), Err(KeyError::Malformed { .. })),
                "{content}"
            );
            assert_eq!(fs::read_to_string(&path).unwrap(), content);
        }
    }

    /// RFC 8032, section 7.1, test 1.
    #[test]
    fn the_public_key_follows_from_the_secret_by_rfc_8032() {
        let (_directory, path) = fresh();
        write_new(
            &path,
            &[
                0x9d, 0x61, 0xb1, 0x9d, 0xef, 0xfd, 0x5a, 0x60, 0xba, 0x84, 0x4a, 0xf4, 0x92, 0xec,
                0x2c, 0xc4, 0x44, 0x49, 0xc5, 0x69, 0x7b, 0x32, 0x69, 0x19, 0x70, 0x3b, 0xac, 0x03,
                0x1c, 0xae, 0x7f, 0x60,
            ],
        )
        .unwrap();
        let public = ReceiptKey::open(&path).unwrap().public();
        assert_eq!(
            public.public_key,
            "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
        );
        assert_eq!(public.key, "21fe31dfa154a261");
    }

    #[test]
    fn the_claim_is_the_receipt_without_its_signature_in_canonical_form() {
        let receipt = ReceiptKey::from_secret(&[7; 32]).sign("g".into(), 9, "ab".into());
        let mut fields = serde_json::to_value(&receipt).unwrap();
        fields.as_object_mut().unwrap().remove("signature");
        let Receipt {
            game,
            version,
            hash,
            key,
            ..
        } = &receipt;
        let claim = Claim {
            game,
            hash,
            key,
            version: *version,
        };
        assert_eq!(
            claim.canonical(),
            serde_json_canonicalizer::to_string(&fields).unwrap()
        );
    }

    #[test]
    fn a_receipt_holds_as_it_was_signed_and_no_other_way() {
        let key = ReceiptKey::from_secret(&[7; 32]);
        let receipt = key.sign("g".into(), 9, "ab".into());
        assert!(receipt.is_signed_by(&key.public()));
        assert!(!receipt.is_signed_by(&ReceiptKey::from_secret(&[8; 32]).public()));

        let signed = &receipt;
        for changed in [
            Receipt {
                game: "h".into(),
                ..signed.clone()
            },
            Receipt {
                version: 10,
                ..signed.clone()
            },
            Receipt {
                hash: "ac".into(),
                ..signed.clone()
            },
            Receipt {
                key: "0".repeat(16),
                ..signed.clone()
            },
            Receipt {
                signature: "0".repeat(128),
                ..signed.clone()
            },
            Receipt {
                signature: String::new(),
                ..signed.clone()
            },
        ] {
            assert!(!changed.is_signed_by(&key.public()), "{changed:?}");
        }
    }
}
