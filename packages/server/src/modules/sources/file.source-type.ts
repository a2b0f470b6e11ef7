import { z } from 'zod';
import type { SourceType } from './source-type.ts';

/** What people upload: read by their browser or the command line, which send it as imports. */
export const fileSource: SourceType = {
  type: 'file',
  title: 'File or paste',
  summary: 'A table that you upload again when it changes: Excel, CSV, JSON or pasted cells',
  section: 'own',
  /** How the columns were mapped, kept for the next upload. */
  settings: z.looseObject({
    fileName: z.string().max(300).optional(),
    blueprint: z.string().max(100).optional(),
    columns: z.unknown().optional(),
  }),
  secrets: [],
  scheduleMinutes: null,
  graceDays: 0,
  blueprints: [],
  defaultMapping: [],
  open: () => {
    throw new Error('A file is read by whoever uploads it');
  },
};
