import { join } from 'node:path';

/** The top folder of the repository, with a slash at its end. */
export const root = join(import.meta.dirname, '../../');
