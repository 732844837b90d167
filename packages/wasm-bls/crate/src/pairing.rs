//! The two pairings of a verification: e(key, message) = e(generator, signature).

use blst::*;

/// Lines of the Miller loop over BLS12-381 for one point of G2: 63 doublings and 5 additions, the bits of the curve's parameter.
const LINES: usize = 68;

/// A hashed message, ready for many verifications: its lines depend on the message alone and are computed once.
pub struct MessageLines(Box<[blst_fp6; LINES]>);

impl MessageLines {
    pub fn new(message: &blst_p2_affine) -> Self {
        let mut lines = Box::new([blst_fp6::default(); LINES]);
        unsafe { blst_precompute_lines(lines.as_mut_ptr(), message) };
        MessageLines(lines)
    }

    /// Whether the signature is the key's on this message; both are in their subgroups, and infinity is refused.
    pub fn agree(&self, key: &blst_p1_affine, signature: &blst_p2_affine) -> bool {
        if is_infinity(key, signature) {
            return false;
        }
        let mut claimed = blst_fp12::default();
        let mut signed = blst_fp12::default();
        unsafe {
            blst_miller_loop_lines(&mut claimed, self.0.as_ptr(), key);
            blst_miller_loop(&mut signed, signature, &BLS12_381_G1);
            blst_fp12_finalverify(&claimed, &signed)
        }
    }
}

/// Whether the signature is the key's on a message met once; both are in their subgroups, and infinity is refused.
pub fn agree(key: &blst_p1_affine, message: &blst_p2_affine, signature: &blst_p2_affine) -> bool {
    if is_infinity(key, signature) {
        return false;
    }
    let mut product = blst_fp12::default();
    let mut power = blst_fp12::default();
    unsafe {
        let g2: [*const blst_p2_affine; 2] = [message, signature];
        let g1: [*const blst_p1_affine; 2] = [key, &BLS12_381_NEG_G1];
        blst_miller_loop_n(&mut product, g2.as_ptr(), g1.as_ptr(), 2);
        blst_final_exp(&mut power, &product);
        blst_fp12_is_one(&power)
    }
}

fn is_infinity(key: &blst_p1_affine, signature: &blst_p2_affine) -> bool {
    unsafe { blst_p1_affine_is_inf(key) || blst_p2_affine_is_inf(signature) }
}
