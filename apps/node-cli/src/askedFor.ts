import { WorldError } from '@tutti/core/errors';

/**
 * Loads what needs libraries that few want and that are large: those who ask for it install them.
 *
 * @param what names what was asked for, such as a flag.
 * @throws WorldError `library-missing`, one line that says what to install.
 */
export async function askedFor<T>(load: () => Promise<T>, what: string, libraries: readonly string[]): Promise<T> {
  try {
    return await load();
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    const isMissing = code === 'ERR_MODULE_NOT_FOUND' && libraries.some((name) => message.includes(`'${name}'`));
    if (!isMissing) throw cause;
    throw new WorldError(
      'library-missing',
      `${what}: needs ${libraries.join(' and ')}, which are not installed; run 'npm install ${libraries.join(' ')}' first`,
      { cause },
    );
  }
}
