import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { computed, fields, type RowOf, row } from '../../../platform/db/row.ts';

const noteRow = row(fields('ai_memory_notes', 'id', 'content', 'invocation', 'created_at', 'updated_at'));
export type Note = RowOf<typeof noteRow>;

const columns = sql`n.id, n.content, n.invocation, n.created_at as "createdAt", n.updated_at as "updatedAt"`;

/** A person's notes, newest first. */
export function listNotes(reader: Reader, orgId: string, person: string): Promise<Note[]> {
  return reader.rows(noteRow.sql`
    select ${columns} from users u join ai_memory_notes n on n.org_id = u.org_id and n.user_key = u.key
    where u.org_id = ${orgId} and u.identifier = ${person} order by n.created_at desc, n.id desc`);
}

const usedRow = row({ contents: computed.json.as<string[]>() });

/** What the person's notes say, newest first; undefined unless both the organization and the person want them used. */
export async function findUsedNotes(
  reader: Reader,
  orgId: string,
  person: string,
): Promise<readonly string[] | undefined> {
  const found = await reader.first(usedRow.sql`
    select coalesce(json_agg(n.content order by n.created_at desc, n.id desc) filter (where n.id is not null), '[]')
      as contents
    from ai_memory_settings s
    join users u on u.org_id = s.org_id and u.identifier = ${person}
    join ai_memory_people p on p.org_id = u.org_id and p.user_key = u.key and p.is_on
    left join ai_memory_notes n on n.org_id = u.org_id and n.user_key = u.key
    where s.org_id = ${orgId} and s.is_enabled group by s.org_id`);
  return found?.contents;
}

const stateRow = row({ memoryEnabled: computed.boolean, isOn: computed.boolean });

export interface MemoryState {
  readonly memoryEnabled: boolean;
  /** What the person chose, whether or not notes are allowed. */
  readonly isOn: boolean;
}

/** @param person undefined for a program, which has no notes */
export async function readMemoryState(reader: Reader, orgId: string, person: string | undefined): Promise<MemoryState> {
  const found = await reader.first(stateRow.sql`
    select coalesce((select s.is_enabled from ai_memory_settings s where s.org_id = ${orgId}), false) as "memoryEnabled",
      coalesce((select p.is_on from users u join ai_memory_people p on p.org_id = u.org_id and p.user_key = u.key
        where u.org_id = ${orgId} and u.identifier = ${person ?? ''}), false) as "isOn"`);
  return found ?? { memoryEnabled: false, isOn: false };
}

export async function putMemoryEnabled(
  tx: Tx,
  orgId: string,
  isEnabled: boolean,
  { by, at }: { readonly by: string; readonly at: Date },
): Promise<void> {
  await tx.execute(sql`
    insert into ai_memory_settings (org_id, is_enabled, updated_at, updated_by) values (${orgId}, ${isEnabled}, ${at}, ${by})
    on conflict (org_id) do update set is_enabled = excluded.is_enabled, updated_at = excluded.updated_at,
      updated_by = excluded.updated_by`);
}

export async function putOwnState(tx: Tx, orgId: string, person: string, isOn: boolean, at: Date): Promise<void> {
  await tx.execute(sql`
    insert into ai_memory_people (org_id, user_key, is_on, updated_at)
    select u.org_id, u.key, ${isOn}::boolean, ${at}::timestamptz from users u
    where u.org_id = ${orgId} and u.identifier = ${person}
    on conflict (org_id, user_key) do update set is_on = excluded.is_on, updated_at = excluded.updated_at`);
}

/** Held so that the person's notes are counted one after the other; false unless both want notes. */
export async function lockMemory(tx: Tx, orgId: string, person: string): Promise<boolean> {
  const rows = await tx.rows(sql`
    select 1 from ai_memory_people p where p.org_id = ${orgId} and p.is_on
      and p.user_key = (select u.key from users u where u.org_id = ${orgId} and u.identifier = ${person})
      and exists (select 1 from ai_memory_settings s where s.org_id = ${orgId} and s.is_enabled) for update`);
  return rows.length === 1;
}

export async function insertNote(tx: Tx, orgId: string, person: string, note: Note): Promise<void> {
  await tx.execute(sql`
    insert into ai_memory_notes (org_id, user_key, id, content, invocation, created_at, updated_at)
    select u.org_id, u.key, ${note.id}, ${note.content}, ${note.invocation}, ${note.createdAt}::timestamptz,
      ${note.updatedAt}::timestamptz
    from users u where u.org_id = ${orgId} and u.identifier = ${person}`);
}

/** Undefined if the person has no such note. */
export function updateNoteRow(
  tx: Tx,
  orgId: string,
  person: string,
  { id, content, at }: { readonly id: string; readonly content: string; readonly at: Date },
): Promise<Note | undefined> {
  return tx.first(noteRow.sql`
    update ai_memory_notes n set content = ${content}, updated_at = ${at}
    where n.org_id = ${orgId} and n.id = ${id}
      and n.user_key = (select u.key from users u where u.org_id = ${orgId} and u.identifier = ${person})
    returning ${columns}`);
}

/** Resolves to how many were the person's. Without a list all of them are. */
export function deleteNotes(tx: Tx, orgId: string, person: string, ids?: readonly string[]): Promise<number> {
  const these = ids ? sql`and n.id = any(${[...ids]}::text[])` : sql``;
  return tx.execute(sql`
    delete from ai_memory_notes n where n.org_id = ${orgId} ${these}
      and n.user_key = (select u.key from users u where u.org_id = ${orgId} and u.identifier = ${person})`);
}

export function deleteNotesOfUsers(tx: Tx, orgId: string, people: readonly string[]): Promise<number> {
  return tx.execute(sql`
    delete from ai_memory_notes n where n.org_id = ${orgId} and n.user_key in (
      select u.key from users u where u.org_id = ${orgId} and u.identifier = any(${[...people]}::text[]))`);
}
