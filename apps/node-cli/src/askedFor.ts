import { WorldError } from '@tutti/core/input';

/**
 * Loads code that needs large optional libraries. Users who request the feature install them.
 *
 * @param what name of the requested feature, such as a flag.
 * @throws WorldError `library-missing`, one line that names the libraries to install.
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
