//! Ciphersuite of draft-irtf-cfrg-bls-signature, section 4.2.3: keys in G1, signatures in G2, proof of possession.

pub const SIGNATURE_DST: &[u8] = b"BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
pub const POSSESSION_DST: &[u8] = b"BLS_POP_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_";
