//! The heap of the kernel: what is given back to it is overwritten, so that no secret key of an old period lies in memory that nobody
//! names any more. The stack, and what JavaScript holds, are not reached by it.

use std::alloc::{GlobalAlloc, Layout, System};

pub struct WipingAllocator;

// Growing is left to the trait's own way: a new block, a copy, and the old one given back.
//
// SAFETY: every block comes from the system's allocator with the layout that was asked for, and goes back to it with the same; nothing
// here panics or allocates by itself.
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
        // SAFETY: the caller gives back a block of this allocator's with its own layout and uses it no more, so all its bytes may be
        // written, and it is the system's to take.
        unsafe {
            core::ptr::write_bytes(block, 0, layout.size());
            // The bytes are the allocator's from here on, so the stores above must have happened.
            core::sync::atomic::compiler_fence(core::sync::atomic::Ordering::SeqCst);
            System.dealloc(block, layout);
        }
    }
}
