import { isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import type { BackupPlan } from './modules/backups/index.ts';
import type { Setting } from './setting.ts';

export const backupSettings: readonly Setting[] = [
  {
    name: 'PORTOLAN_BACKUP_SCHEDULE',
    default: '(none)',
    description:
      'When backups are taken into `PORTOLAN_BACKUP_FOLDER`: a time of the day in UTC (`03:00`), or every so many hours (`6h`).',
  },
  {
    name: 'PORTOLAN_BACKUP_FOLDER',
    default: '(none)',
    description: 'Folder for scheduled backups, best on another disk. Required with `PORTOLAN_BACKUP_SCHEDULE`.',
  },
  { name: 'PORTOLAN_BACKUP_KEEP', default: '7', description: 'So many scheduled backups are kept, the newest.' },
];

const hourMs = 3_600_000;

export const backupEnvironment = {
  PORTOLAN_BACKUP_SCHEDULE: z
    .string()
    .transform((text, context): BackupPlan['schedule'] => {
      const [, hours = '', minutes = ''] = /^([01]?\d|2[0-3]):([0-5]\d)$/.exec(text) ?? [];
      if (minutes !== '') return { atMs: Number(hours) * hourMs + Number(minutes) * 60_000 };
      const every = Number(/^(\d{1,3})h$/.exec(text)?.[1] ?? 0);
      if (every >= 1 && every <= 168) return { everyMs: every * hourMs };
      context.addIssue({ code: 'custom', message: 'must be a time of the day such as 03:00, or 1h to 168h' });
      return z.NEVER;
    })
    .optional(),
  PORTOLAN_BACKUP_FOLDER: z.string().optional(),
  PORTOLAN_BACKUP_KEEP: z.coerce
    .number({ error: 'must be a number of backups' })
    .int()
    .min(1, { error: 'must be at least 1' })
    .max(1_000, { error: 'must be at most 1000' })
    .default(7),
};
type Environment = z.output<z.ZodObject<typeof backupEnvironment>>;

export function backupContradictions(values: Environment): string[] {
  if (!values.PORTOLAN_BACKUP_SCHEDULE || values.PORTOLAN_BACKUP_FOLDER) return [];
  return ['PORTOLAN_BACKUP_FOLDER is required with PORTOLAN_BACKUP_SCHEDULE: the folder that backups are written to.'];
}

export function readBackupPlan(values: Environment, workingDirectory: string): BackupPlan | undefined {
  const { PORTOLAN_BACKUP_SCHEDULE: schedule, PORTOLAN_BACKUP_FOLDER: folder, PORTOLAN_BACKUP_KEEP: keep } = values;
  if (!schedule || !folder) return undefined;
  return { schedule, keep, folder: isAbsolute(folder) ? folder : resolve(workingDirectory, folder) };
}
