import { createRegexEngine } from './regex/linear-engine.ts';
import type { RegexEngine } from './regex/regex-engine.ts';
import { createV8Engine } from './regex/v8-engine.ts';

/**
 * RE2 first, and V8 with a deadline for the patterns RE2 refuses. The deadline blocks this thread for at most the
 * budget's `regexTimeMs` per match; where even that is too long, use the batch runner.
 */
export const nodeRegexEngine: RegexEngine = createRegexEngine(createV8Engine());
