import { newId } from '../../platform/ids.ts';

const timeLength = 9;
const pattern = /^event_([0-9a-z]{9})[A-Za-z0-9]{16}$/;

/** Contains the moment, so that a record is found by it without an index of its own. */
export function newEventId(at: Date): string {
  return newId(`event_${at.getTime().toString(36).padStart(timeLength, '0')}`);
}

/** Undefined for any other text. */
export function momentOfEventId(id: string): Date | undefined {
  const [, time] = pattern.exec(id) ?? [];
  return time === undefined ? undefined : new Date(Number.parseInt(time, 36));
}
