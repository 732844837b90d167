//! The two pairings of a verification: e(key, message) = e(generator, signature).

use blst::*;

/// Whether the signature is the key's on the hashed message; all are in their subgroups, and infinity is refused.
///
/// One Miller loop for both pairs: it shares the squarings, which was measured to save more than lines of the message kept ready
/// from one verification to the next: with these, and a loop for each pair, a verification takes 3 to 5 % longer.
pub fn agree(key: &blst_p1_affine, message: &blst_p2_affine, signature: &blst_p2_affine) -> bool {
    // SAFETY: references to whole values, which the library reads or writes once.
    if unsafe { blst_p1_affine_is_inf(key) || blst_p2_affine_is_inf(signature) } {
        return false;
    }
    let mut product = blst_fp12::default();
    let mut power = blst_fp12::default();
    // SAFETY: as many pointers in each list as are said, each to a point that outlives the call.
    unsafe {
        let g2: [*const blst_p2_affine; 2] = [message, signature];
        let g1: [*const blst_p1_affine; 2] = [key, &BLS12_381_NEG_G1];
        blst_miller_loop_n(&mut product, g2.as_ptr(), g1.as_ptr(), 2);
        blst_final_exp(&mut power, &product);
        blst_fp12_is_one(&power)
    }
}

/// Whether the product of some pairings is one. All points are in their subgroups, and a pairing with infinity is one.
pub fn product_is_one(g1: &[blst_p1_affine], g2: &[blst_p2_affine]) -> bool {
    match miller_loops(g1, g2) {
        Some(product) => is_one(&product),
        None => true,
    }
}

/// As product_is_one, with one more pairing of which the Miller loop was kept.
pub fn product_with_kept_is_one(
    kept: &blst_fp12,
    g1: &[blst_p1_affine],
    g2: &[blst_p2_affine],
) -> bool {
    let product = match miller_loops(g1, g2) {
        Some(product) => {
            let mut with_kept = blst_fp12::default();
            // SAFETY: references to whole values, which the library reads or writes once.
            unsafe { blst_fp12_mul(&mut with_kept, &product, kept) };
            with_kept
        }
        None => *kept,
    };
    is_one(&product)
}

/// The library's loop is for points that are not infinity.
fn miller_loops(g1: &[blst_p1_affine], g2: &[blst_p2_affine]) -> Option<blst_fp12> {
    let pairs: Vec<(*const blst_p1_affine, *const blst_p2_affine)> = g1
        .iter()
        .zip(g2)
        // SAFETY: references to whole values, which the library reads or writes once.
        .filter(|(g1, g2)| unsafe { !blst_p1_affine_is_inf(*g1) && !blst_p2_affine_is_inf(*g2) })
        .map(|(g1, g2)| (g1 as *const _, g2 as *const _))
        .collect();
    if pairs.is_empty() {
        return None;
    }
    let (g1, g2): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
    let mut product = blst_fp12::default();
    // SAFETY: as many pointers in each list as are said, each to a point that outlives the call.
    unsafe { blst_miller_loop_n(&mut product, g2.as_ptr(), g1.as_ptr(), g1.len()) };
    Some(product)
}

fn is_one(product: &blst_fp12) -> bool {
    let mut power = blst_fp12::default();
    // SAFETY: references to whole values, which the library reads or writes once.
    unsafe {
        blst_final_exp(&mut power, product);
        blst_fp12_is_one(&power)
    }
}
