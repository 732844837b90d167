/** Whether a process of this machine exists. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // One of somebody else's may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
