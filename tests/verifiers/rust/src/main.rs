//! Verdicts of Commonware's own crate on multisig certificates: a line of standard input is one certificate with its
//! members, and has one line of output, `accepted` or `refused: ` and why.
//!
//! A line: `min-pk` or `min-sig`, namespace, message, members as IDENTITY:KEY with commas between, and the certificate;
//! bytes in hexadecimal.

use bytes::Bytes;
use commonware_codec::{Decode, DecodeExt};
use commonware_cryptography::{
    bls12381::primitives::variant::{MinPk, MinSig, Variant},
    certificate::{Subject, Verifier},
    ed25519, impl_certificate_bls12381_multisig,
};
use commonware_parallel::Sequential;
use commonware_utils::{N3f1, TryFromIterator, ordered::BiMap};
use std::io::BufRead;

#[derive(Clone, Debug)]
pub struct Statement(Bytes);

impl Subject for Statement {
    type Namespace = Vec<u8>;

    fn namespace<'a>(&self, derived: &'a Vec<u8>) -> &'a [u8] {
        derived
    }

    fn message(&self) -> Bytes {
        self.0.clone()
    }
}

impl_certificate_bls12381_multisig!(Statement, Vec<u8>, N3f1);

fn bytes_of(field: &str) -> Result<Bytes, String> {
    hex::decode(field).map(Bytes::from).map_err(|error| error.to_string())
}

fn verify<V: Variant>(fields: &[&str]) -> Result<(), String> {
    let [namespace, message, members, certificate] = fields else {
        return Err("expected 5 fields".into());
    };
    let mut pairs = Vec::new();
    for member in members.split(',') {
        let (identity, key) = member.split_once(':').ok_or("expected IDENTITY:KEY")?;
        let identity = ed25519::PublicKey::decode(bytes_of(identity)?)
            .map_err(|error| format!("identity: {error:?}"))?;
        let key = V::Public::decode(bytes_of(key)?)
            .map_err(|error| format!("key: {error:?}"))?;
        pairs.push((identity, key));
    }
    let participants =
        BiMap::try_from_iter(pairs).map_err(|error| format!("members: {error:?}"))?;
    let scheme =
        Scheme::<ed25519::PublicKey, V>::verifier(&bytes_of(namespace)?, participants);
    let certificate = <Scheme<ed25519::PublicKey, V> as Verifier>::Certificate::decode_cfg(
        bytes_of(certificate)?,
        &scheme.certificate_codec_config(),
    )
    .map_err(|error| format!("certificate: {error:?}"))?;
    let statement = Statement(bytes_of(message)?);
    let is_valid = scheme.verify_certificate::<_, commonware_cryptography::sha256::Digest>(
        &mut rand::rng(),
        statement,
        &certificate,
        &Sequential,
    );
    if is_valid { Ok(()) } else { Err("does not verify".into()) }
}

fn main() {
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("standard input is text");
        let fields: Vec<&str> = line.split_whitespace().collect();
        let verdict = match fields.split_first() {
            Some((&"min-pk", rest)) => verify::<MinPk>(rest),
            Some((&"min-sig", rest)) => verify::<MinSig>(rest),
            _ => Err("expected min-pk or min-sig".into()),
        };
        match verdict {
            Ok(()) => println!("accepted"),
            Err(why) => println!("refused: {why}"),
        }
    }
}
