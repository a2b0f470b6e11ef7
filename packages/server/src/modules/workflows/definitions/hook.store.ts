import { randomBytes } from 'node:crypto';
import sql from 'sql-template-tag';
import type { Reader, Tx } from '../../../platform/db/database.ts';
import { fields, row } from '../../../platform/db/row.ts';

const ofOrganization = 16;
const prefix = 'org_';

/** Names the organization, so that a call needs no search across all; 128 random bits follow. */
function newHookName(orgId: string): string {
  return orgId.slice(prefix.length) + randomBytes(16).toString('hex');
}

/** The organization of a name; undefined if the name is malformed. */
export function readHookOrganization(name: string): string | undefined {
  return /^[A-Za-z0-9]{48}$/.test(name) ? prefix + name.slice(0, ofOrganization) : undefined;
}

/** Gives these triggers of a workflow addresses, and takes those of all others away. */
export async function replaceHooks(
  tx: Tx,
  orgId: string,
  workflowKey: number,
  nodes: readonly string[],
  at: Date,
): Promise<void> {
  await tx.execute(sql`
    delete from workflow_hooks
    where org_id = ${orgId} and workflow_key = ${workflowKey} and not node = any(${[...nodes]}::text[])`);
  for (const node of nodes) {
    await tx.execute(sql`
      insert into workflow_hooks (org_id, workflow_key, node, name, created_at)
      values (${orgId}, ${workflowKey}, ${node}, ${newHookName(orgId)}, ${at})
      on conflict (org_id, workflow_key, node) do nothing`);
  }
}

const nameRow = row(fields('workflow_hooks', 'name'));

export async function findHookName(
  reader: Reader,
  orgId: string,
  workflowKey: number,
  node: string,
): Promise<string | undefined> {
  const found = await reader.first(nameRow.sql`
    select h.name from workflow_hooks h
    where h.org_id = ${orgId} and h.workflow_key = ${workflowKey} and h.node = ${node}`);
  return found?.name;
}

/** Gives a trigger another address; undefined if it has none. */
export async function renewHook(
  tx: Tx,
  orgId: string,
  workflowKey: number,
  node: string,
  at: Date,
): Promise<string | undefined> {
  const renewed = await tx.first(nameRow.sql`
    update workflow_hooks h set name = ${newHookName(orgId)}, created_at = ${at}
    where h.org_id = ${orgId} and h.workflow_key = ${workflowKey} and h.node = ${node} returning h.name`);
  return renewed?.name;
}

const hookRow = row(fields('workflow_hooks', 'workflow_key', 'node'));

export function findHook(reader: Reader, orgId: string, name: string) {
  return reader.first(hookRow.sql`
    select h.workflow_key as "workflowKey", h.node from workflow_hooks h
    where h.org_id = ${orgId} and h.name = ${name}`);
}
