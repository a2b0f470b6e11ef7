import type { CutoverBlocker } from '@portolan/contract/cutover';
import type { Reader } from '../../../platform/db/database.ts';
import { listOldCallers } from './cutover.store.ts';
import { isOldForm } from './old-forms.ts';
import type { CutoverSurroundings } from './surroundings.ts';

const windowMs = 30 * 24 * 60 * 60 * 1000;

/** Callers of the last 30 days, automations and widgets that use forms which the cutover removes. */
export async function findBlockers(
  surroundings: CutoverSurroundings,
  reader: Reader,
  orgId: string,
  now: Date,
): Promise<CutoverBlocker[]> {
  const callers = await listOldCallers(reader, orgId, new Date(now.getTime() - windowMs));
  const addresses = await surroundings.listWebhookAddresses(reader, orgId);
  const widgets = await surroundings.listAgentWidgets(reader, orgId);
  return [
    ...callers.map(({ caller, endpoint, agent, calls, lastAt }): CutoverBlocker => {
      const message =
        endpoint === 'router'
          ? 'asks POST /agent/invoke, which goes; ask the agent or the general assistant'
          : `asks the agent "${agent}" without stream=true and use_mcp=true`;
      return { kind: 'caller', subject: caller, message, calls, lastAt: lastAt.toISOString() };
    }),
    ...addresses
      .filter(({ url }) => isOldForm(url))
      .map(({ action, isAutomation, url }): CutoverBlocker => {
        const what = isAutomation ? 'The automation' : 'The action';
        return { kind: 'automation', subject: action, message: `${what} calls ${url.slice(0, 300)}` };
      }),
    ...widgets
      .filter(({ isOn }) => !isOn)
      .map(({ page, widget, agent }): CutoverBlocker => {
        const message = `The widget "${widget}" of the agent "${agent ?? ''}" has use_mcp off`;
        return { kind: 'widget', subject: page, message };
      }),
  ];
}
