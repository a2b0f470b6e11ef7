import { testAutomation as operation } from '@portolan/contract/automations';
import { z } from 'zod';
import { definition, readDefinition } from '../../platform/tools/definition.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import type { AutomationsDeps } from './automations.deps.ts';
import { testAutomation } from './test-automation.ts';

/** Tools that try automations; the tools of actions read and write them. */
export function automationTools(deps: AutomationsDeps): ToolDeclaration[] {
  return [
    tool({
      name: 'test_automation',
      title: 'Try an automation on an event',
      description:
        'Asks an automation what it would do about an event, and why not if nothing: nothing is stored and nothing is sent. Give the id of a record of the audit log (eventId), or an event of your own.',
      effect: 'read',
      scope: 'create:actions',
      audience: 'builder',
      input: z.strictObject({
        identifier: z.string().min(1).describe('Identifier of the automation'),
        eventId: z.string().min(1).max(200).optional().describe('Id of a record of the audit log, like event_…'),
        event: definition(
          'Like {"action": "UPDATE", "resourceType": "entity", "context": {"blueprintIdentifier": "service", "entityIdentifier": "cart"}, "diff": {"before": null, "after": {}}, "trigger": {"by": {}, "origin": "API"}}',
        ).optional(),
      }),
      run: async ({ actor }, { identifier, ...given }) => ({
        test: await testAutomation(deps, actor, identifier, readDefinition(operation.body, given, 'event')),
      }),
    }),
  ];
}
