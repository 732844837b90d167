//! The two variants of BLS signatures (section 2.1 of the draft): which group keys are in, and which signatures.

use crate::ffi::{Affine, G1Affine, G2Affine, Group, G1, G2};
use crate::shelf::Shelf;
use std::cell::{OnceCell, RefCell};
use std::thread::LocalKey;

/// A key's and a signature's point as sums leave them.
pub type KeySum<V> = <<V as Variant>::Key as Affine>::Group;
pub type SignatureSum<V> = <<V as Variant>::Signature as Affine>::Group;

pub trait Variant: 'static {
    type Key: Affine;
    type Signature: Affine;
    /// Ciphersuites of section 4.2.3 of the draft, with proofs of possession.
    const SIGNATURE_DST: &'static [u8];
    const POSSESSION_DST: &'static [u8];

    /// The two sides of a pairing, in its order.
    fn pair<'a>(key: &'a Self::Key, signature: &'a Self::Signature) -> (&'a G1Affine, &'a G2Affine);
    /// For each digit of a scalar, multiples of the keys' generator (generator.rs).
    fn multiples() -> &'static LocalKey<OnceCell<Vec<Self::Key>>>;
    fn kept_keys() -> &'static LocalKey<RefCell<Shelf<Self::Key>>>;
    /// As sums leave them, not affine: an addition then takes no inversion.
    fn kept_signatures() -> &'static LocalKey<RefCell<Shelf<SignatureSum<Self>>>>;

    /// The point that stands for a message in a signature.
    fn hash(message: &[u8]) -> Self::Signature {
        SignatureSum::<Self>::hash(message, Self::SIGNATURE_DST).affine()
    }
}

macro_rules! variant {
    ($name:ident, $key:ty, $signature:ty, $sum:ty, $signature_dst:literal, $possession_dst:literal,
     |$a:ident, $b:ident| $pair:expr) => {
        impl Variant for $name {
            type Key = $key;
            type Signature = $signature;
            const SIGNATURE_DST: &'static [u8] = $signature_dst;
            const POSSESSION_DST: &'static [u8] = $possession_dst;

            fn pair<'a>($a: &'a $key, $b: &'a $signature) -> (&'a G1Affine, &'a G2Affine) {
                $pair
            }

            fn multiples() -> &'static LocalKey<OnceCell<Vec<$key>>> {
                thread_local! { static MULTIPLES: OnceCell<Vec<$key>> = const { OnceCell::new() } }
                &MULTIPLES
            }

            fn kept_keys() -> &'static LocalKey<RefCell<Shelf<$key>>> {
                thread_local! { static KEYS: RefCell<Shelf<$key>> = const { RefCell::new(Shelf::new()) } }
                &KEYS
            }

            fn kept_signatures() -> &'static LocalKey<RefCell<Shelf<$sum>>> {
                thread_local! { static SIGNATURES: RefCell<Shelf<$sum>> = const { RefCell::new(Shelf::new()) } }
                &SIGNATURES
            }
        }
    };
}

/// Minimal-pubkey-size: keys of 48 bytes in G1, signatures of 96 in G2.
pub struct MinPk;

variant!(
    MinPk,
    G1Affine,
    G2Affine,
    G2,
    b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_",
    b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_",
    |key, signature| (key, signature)
);

/// Minimal-signature-size: keys of 96 bytes in G2, signatures of 48 in G1.
pub struct MinSig;

variant!(
    MinSig,
    G2Affine,
    G1Affine,
    G1,
    b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
    b"BLS_POP_BLS12381G1_XMD:SHA-256_SSWU_RO_POP_",
    |key, signature| (signature, key)
);

/// An expression with a type name bound to the variant that a caller of the kernel chose; min-pk if it said nothing.
macro_rules! for_variant {
    ($min_sig:expr, $variant:ident => $body:expr) => {
        if $min_sig.unwrap_or(false) {
            type $variant = $crate::variant::MinSig;
            $body
        } else {
            type $variant = $crate::variant::MinPk;
            $body
        }
    };
}
pub(crate) use for_variant;

/// What was made for one variant, of a kind that has both.
pub enum Either<A, B> {
    MinPk(A),
    MinSig(B),
}

/// An expression of whichever it is.
macro_rules! either {
    ($either:expr, $own:ident => $body:expr) => {
        match $either {
            $crate::variant::Either::MinPk($own) => $body,
            $crate::variant::Either::MinSig($own) => $body,
        }
    };
}
pub(crate) use either;
