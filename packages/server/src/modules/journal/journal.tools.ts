import { auditQuery, auditResources } from '@portolan/contract/audit';
import { z } from 'zod';
import { readDefinition } from '../../platform/tools/definition.ts';
import { type ToolDeclaration, tool } from '../../platform/tools/tool.ts';
import { type AuditPorts, readAuditLog } from './read-audit-log.ts';

export function journalTools(ports: AuditPorts): ToolDeclaration[] {
  return [
    tool({
      name: 'search_audit_log',
      title: 'Search the audit log',
      description:
        'Finds who changed what and when, newest first. Everybody but an administrator must name an entity, an identifier or a run. diff adds the values before and after.',
      effect: 'read',
      scope: 'read:audit-log',
      audience: 'developer',
      input: z.strictObject({
        blueprint: z.string().min(1).optional(),
        entity: z.string().min(1).optional().describe('Identifier of the entity'),
        identifier: z.string().min(1).optional().describe('Identifier of whatever was changed'),
        runId: z.string().min(1).optional().describe('Only what was done on behalf of this run'),
        resources: z.array(z.enum(auditResources)).min(1).optional(),
        action: z.enum(['CREATE', 'UPDATE', 'DELETE', 'OTHER', 'TIMER_EXPIRED']).optional(),
        status: z.enum(['SUCCESS', 'FAILURE']).optional(),
        from: z.iso.datetime({ offset: true }).optional(),
        to: z.iso.datetime({ offset: true }).optional(),
        diff: z.boolean().default(false).describe('Whether values before and after are shown'),
        limit: z.number().int().min(1).max(100).default(25).describe('How many at most'),
        cursor: z.string().max(1000).optional().describe('`next` of the answer before, for the next page'),
      }),
      run: async ({ actor }, { runId, diff, cursor, ...asked }) => {
        const { limit, ...filters } = asked;
        const query = readDefinition(auditQuery, { ...filters, run_id: runId, next: cursor }, 'query');
        const { audits, next } = await readAuditLog(ports, actor, { ...query, limit });
        return { audits: diff ? audits : audits.map(withoutDiff), ...(next === undefined ? {} : { next }) };
      },
    }),
  ];
}

function withoutDiff<Audit extends { readonly diff?: unknown }>({ diff: _, ...rest }: Audit) {
  return rest;
}
