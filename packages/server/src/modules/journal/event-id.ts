import { newId } from '../../platform/ids.ts';

const timeLength = 9;
const pattern = /^event_([0-9a-z]{9})[A-Za-z0-9]{16}$/;

/** Contains the time, so that a record is found by its id without an extra index. */
export function newEventId(at: Date): string {
  return newId(`event_${at.getTime().toString(36).padStart(timeLength, '0')}`);
}

/** Returns undefined for any other text. */
export function momentOfEventId(id: string): Date | undefined {
  const [, time] = pattern.exec(id) ?? [];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36));
}
