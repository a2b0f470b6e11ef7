import { isRecord } from '@portolan/contract/json-value';
import type { Widget } from '@portolan/contract/pages';
import type { Reader } from '../../platform/db/database.ts';
import { momentOfChange } from '../../platform/read-version.ts';
import type { Work } from '../../platform/unit-of-work.ts';
import { listPageRows, lockPages, updatePageRow } from './page.store.ts';
import { allWidgets, presentPage, type StoredPage } from './page.ts';

export interface AgentWidget {
  readonly page: string;
  readonly widget: string;
  readonly agent: string | null;
  /** True for the new assistant. */
  readonly isOn: boolean;
}

/** Spellings of the switch; a page keeps its own (compatibility choices, Catalog). */
const spellings = ['use_mcp', 'useMCP', 'useMcp'] as const;

/** Agent widgets on all pages, private ones included. */
export async function listAgentWidgets(reader: Reader, orgId: string): Promise<AgentWidget[]> {
  const pages = await listPageRows(reader, orgId);
  return pages.flatMap((page) =>
    [...allWidgets(page.definition.widgets ?? [])].filter(isAgentWidget).map((widget) => described(page, widget)),
  );
}

/** Switches all remaining agent widgets to the new assistant and returns them. Each page is recorded. */
export async function switchAgentWidgets(work: Work): Promise<AgentWidget[]> {
  const { tx, actor, now } = work;
  await lockPages(tx, actor.orgId);
  const switched: AgentWidget[] = [];
  for (const page of await listPageRows(tx, actor.orgId)) {
    const { widgets } = page.definition;
    const off = [...allWidgets(widgets ?? [])].filter((widget) => isAgentWidget(widget) && !isOn(widget));
    if (!widgets || off.length === 0 || page.key === undefined) continue;
    const definition = { ...page.definition, widgets: switchedOn(widgets) };
    const after: StoredPage = { ...page, definition, updatedAt: momentOfChange(page, now), updatedBy: actor.id };
    await updatePageRow(tx, actor.orgId, page.key, after);
    work.record({
      event: 'page.updated',
      action: 'UPDATE',
      resourceType: 'page',
      identifier: page.identifier,
      context: { page: page.identifier },
      before: presentPage(page),
      after: presentPage(after),
      message: 'Agent widgets were switched to the new assistant with the cutover',
    });
    switched.push(...off.map((widget) => ({ ...described(page, widget), isOn: true })));
  }
  return switched;
}

function isAgentWidget(widget: Widget): boolean {
  return widget.type === 'ai-agent';
}

function isOn(widget: Widget): boolean {
  return spellings.some((spelling) => widget[spelling] === true);
}

function described({ identifier }: StoredPage, widget: Widget): AgentWidget {
  const agent = widget['agentIdentifier'];
  return {
    page: identifier,
    widget: typeof widget.id === 'string' ? widget.id : '',
    agent: typeof agent === 'string' ? agent : null,
    isOn: isOn(widget),
  };
}

function switchedOn<Value>(value: Value): Value {
  if (Array.isArray(value)) return value.map(switchedOn) as Value;
  if (!isRecord(value)) return value;
  const inner = Object.fromEntries(
    Object.entries(value).map(([key, each]) => [key, key === 'widgets' || key === 'groups' ? switchedOn(each) : each]),
  );
  if (!isAgentWidget(inner as Widget) || isOn(inner as Widget)) return inner as Value;
  const used = spellings.filter((spelling) => Object.hasOwn(inner, spelling));
  const on = Object.fromEntries((used.length > 0 ? used : ['use_mcp']).map((spelling) => [spelling, true]));
  return { ...inner, ...on } as Value;
}
