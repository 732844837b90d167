//! The kernel's heap. It overwrites whatever is given back to it, so that no secret key of an old period stays in
//! memory that nothing refers to. It reaches neither the stack nor what JavaScript holds.

use std::alloc::{GlobalAlloc, Layout, System};
use std::ptr::write_volatile;
use std::sync::atomic::{compiler_fence, Ordering};

pub struct WipingAllocator;

/// Writes zeros that the compiler may not leave out, though nobody reads them: volatile stores, then a fence, as the
/// zeroize crate does. In words where they are aligned, since a block may be megabytes of keys.
///
/// # Safety
///
/// All `length` bytes from `block` on belong to the caller and may be written.
unsafe fn wipe(block: *mut u8, length: usize) {
    const WORD: usize = size_of::<u64>();
    let head = block.align_offset(WORD).min(length);
    let words = (length - head) / WORD;
    // SAFETY: each store stays among the `length` bytes that are the caller's, and the words start where a word may.
    unsafe {
        for i in 0..head {
            write_volatile(block.add(i), 0);
        }
        let aligned = block.add(head);
        for i in 0..words {
            write_volatile(aligned.cast::<u64>().add(i), 0);
        }
        for i in head + words * WORD..length {
            write_volatile(block.add(i), 0);
        }
    }
    compiler_fence(Ordering::SeqCst);
}

// Growing is left to the trait's own way: a new block, a copy, and the old one given back.
//
// SAFETY: every block comes from the system's allocator with the layout that was asked for, and goes back to it with
// the same; nothing here panics or allocates.
unsafe impl GlobalAlloc for WipingAllocator {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller keeps alloc's contract (a size that is not zero), which is the system's own.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: as of alloc.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        // SAFETY: the caller gives back a block of this allocator's with its own layout and uses it no more: all its
        // bytes may be written, and the system may take it.
        unsafe {
            wipe(block, layout.size());
            System.dealloc(block, layout);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wipe_clears_its_bytes_and_no_others() {
        for start in 0..9 {
            for length in 0..40 {
                let mut bytes = [0xff_u8; 64];
                // SAFETY: start and length are within the array, 48 bytes at most.
                unsafe { wipe(bytes.as_mut_ptr().add(start), length) };
                let expected: Vec<u8> =
                    (0..64).map(|i| if (start..start + length).contains(&i) { 0 } else { 0xff }).collect();
                assert_eq!(bytes.as_slice(), expected, "{length} bytes from {start} on");
            }
        }
    }
}
