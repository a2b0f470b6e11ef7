import { z } from 'zod';
import { gitSettings } from '../../src/modules/sources/git/git-settings.ts';

/** The settings of a source that was told nothing. */
export function defaultGitSettings(): z.output<z.ZodObject<typeof gitSettings>> {
  return z.object(gitSettings).parse({});
}
