import { scaffoldService } from './action-scaffold-service.ts';
import { githubInstallation } from './sources.ts';
import type { ActionBody } from './types.ts';

/** The finance department's public key. Only they hold the other half, so nobody here can read what it encrypts. */
const financePublicKey = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAwIpyaUbcBXZnLcwDm4yO
LVpO4XYRMVj+qmsOO7+o1cpYTP0Gi44jd/kYOj0jHP0WCLpwTpWzrG4RIVNMuv8D
HGZYDs8FHhzrQgpK3HcZhbi5ID23KPR2seQOn+A1KqudmebGobuOmDlTZMM8AOl7
6nHNmszkNu5VGCNmTUINf2A4PJMuiJGN/paALNVXJfkQ0SEi+uP91nQqSDXBrrbf
lvVrxzNt/niErM4713yrBrUFQp8SS5E5w9+1/E1DROBi3IPYQZYT1Zo2yYC94mR7
QASC7WTpvCxzbkUKeq1dq02fOUcpFLR+5H1B2PeylPKUIIRPXg1RWN4Yvj3ww28j
iQIDAQAB
-----END PUBLIC KEY-----
`;

/** `publicUrl` is where this server answers: one action calls back into its own API. */
export function actions(publicUrl: string): ActionBody[] {
  return [createSandbox, scaffoldService, rollbackDeployment, retireService(publicUrl), restartWorkload, requestExport];
}

const createSandbox: ActionBody = {
  identifier: 'create_sandbox',
  title: 'Create a sandbox',
  icon: 'FlaskConical',
  description: 'A copy of one of your services that removes itself when its time is up.',
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    blueprintIdentifier: 'devSandbox',
    userInputs: {
      properties: {
        service: {
          type: 'string',
          format: 'entity',
          blueprint: 'service',
          title: 'Service',
          dataset: {
            combinator: 'and',
            rules: [{ property: '$team', operator: 'containsAny', value: { jqQuery: '.user.teamsIdentifiers' } }],
          },
        },
        branch: {
          type: 'string',
          title: 'Branch',
          default: { jqQuery: '(.user.email | split("@") | first) + "-try"' },
          pattern: '^[a-z0-9.-]+$',
        },
        environment: {
          type: 'string',
          format: 'entity',
          blueprint: 'environment',
          title: 'Environment',
          default: 'preview',
        },
        hours: {
          type: 'string',
          title: 'Keep for (hours)',
          description: 'Services that face the internet may stay for a working day at most.',
          enum: { jqQuery: 'if .form.service.properties.isPublic then ["4", "8"] else ["4", "8", "24", "72"] end' },
          default: '4',
          dependsOn: ['service'],
        },
        note: { type: 'string', title: 'Note' },
      },
      required: ['service', 'branch', 'hours'],
      steps: [
        { title: 'What', order: ['service', 'branch'] },
        { title: 'Where and how long', order: ['environment', 'hours', 'note'] },
      ],
    },
    actionCardButtonText: 'Create',
  },
  invocationMethod: {
    type: 'UPSERT_ENTITY',
    blueprintIdentifier: 'devSandbox',
    mapping: {
      title: '{{ .inputs.service.title }}: {{ .inputs.branch }}',
      team: '{{ .inputs.service.team }}',
      properties: {
        status: 'starting',
        branch: '{{ .inputs.branch }}',
        url: 'https://{{ .inputs.branch }}.preview.halyardfreight.example',
        expiresAt: '{{ now + (.inputs.hours | tonumber) * 3600 | todate }}',
        '{{ if (.inputs.note // "") == "" then null else "note" end }}': '{{ .inputs.note }}',
      },
      relations: {
        service: '{{ .inputs.service.identifier }}',
        owner: '{{ .trigger.by.user.email }}',
        environment: '{{ .inputs.environment.identifier }}',
      },
    },
  },
};

const rollbackDeployment: ActionBody = {
  identifier: 'rollback_deployment',
  title: 'Roll back',
  icon: 'Undo2',
  description: 'Puts the version before this deployment back in its environment.',
  trigger: {
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: 'deployment',
    userInputs: {
      properties: {
        reason: { type: 'string', format: 'multi-line', title: 'Why?', minLength: 10 },
        incident: {
          type: 'string',
          format: 'entity',
          blueprint: 'incident',
          title: 'Incident',
          dataset: { combinator: 'and', rules: [{ property: 'status', operator: '=', value: 'open' }] },
        },
      },
      required: ['reason'],
      order: ['reason', 'incident'],
    },
    condition: {
      type: 'SEARCH',
      combinator: 'and',
      rules: [{ property: 'status', operator: '=', value: 'success' }],
    },
    executeActionButtonText: 'Roll back',
  },
  invocationMethod: {
    type: 'GITHUB',
    org: 'halyard-freight',
    repo: 'deploy-control',
    workflow: 'rollback.yml',
    workflowInputs: {
      run: '{{ .run.id }}',
      deployment: '{{ .entity.identifier }}',
      service: '{{ .entity.relations.service }}',
      environment: '{{ .entity.relations.environment }}',
      reason: '{{ .inputs.reason }}',
      incident: '{{ .inputs.incident.identifier // "" }}',
    },
    reportWorkflowStatus: true,
  },
};

function retireService(publicUrl: string): ActionBody {
  return {
    identifier: 'retire_service',
    title: 'Retire a service',
    icon: 'Archive',
    description: 'Removes the service and everything that only exists because of it. The owners’ managers must agree.',
    trigger: {
      type: 'self-service',
      operation: 'DELETE',
      blueprintIdentifier: 'service',
      userInputs: {
        properties: {
          confirmation: {
            type: 'string',
            title: 'Type the identifier of the service',
            pattern: { jqQuery: '"^" + (.entity.identifier | gsub("(?<sign>[.+])"; "[" + .sign + "]")) + "$"' },
          },
        },
        required: ['confirmation'],
        order: ['confirmation'],
      },
      condition: {
        type: 'SEARCH',
        combinator: 'and',
        rules: [{ property: 'lifecycle', operator: 'in', value: ['deprecated', 'planned'] }],
      },
      executeActionButtonText: 'Retire',
    },
    invocationMethod: {
      type: 'WEBHOOK',
      url: `${publicUrl}/v1/blueprints/service/entities/{{ .entity.identifier | @uri }}?delete_dependents=true`,
      agent: false,
      synchronized: true,
      method: 'DELETE',
    },
    requiredApproval: { type: 'ALL' },
    approvalNotification: { type: 'email' },
  };
}

const restartWorkload: ActionBody = {
  identifier: 'restart_workload',
  title: 'Restart a workload',
  icon: 'RefreshCw',
  description: 'Replaces the pods of a workload one after the other.',
  trigger: {
    type: 'self-service',
    operation: 'DAY-2',
    blueprintIdentifier: 'cloudResource',
    userInputs: {
      properties: { reason: { type: 'string', title: 'Why?' } },
      required: ['reason'],
      order: ['reason'],
    },
    condition: { type: 'SEARCH', combinator: 'and', rules: [{ property: 'kind', operator: '=', value: 'workload' }] },
    executeActionButtonText: 'Restart',
  },
  invocationMethod: {
    type: 'INTEGRATION_ACTION',
    installationId: githubInstallation,
    integrationActionType: 'dispatch_workflow',
    integrationActionExecutionProperties: {
      org: 'halyard-freight',
      repo: 'cluster-control',
      workflow: 'restart-workload.yml',
      workflowInputs: {
        run: '{{ .run.id }}',
        workload: '{{ .entity.identifier }}',
        reason: '{{ .inputs.reason }}',
      },
      reportWorkflowStatus: true,
    },
  },
};

const requestExport: ActionBody = {
  identifier: 'request_export',
  title: 'Request a finance export',
  icon: 'FileSpreadsheet',
  description: 'A month of shipments and invoices for the auditors. For people in the finance cost centre.',
  trigger: {
    type: 'self-service',
    operation: 'CREATE',
    userInputs: {
      properties: {
        month: {
          type: 'string',
          title: 'Month',
          description: 'As in 2026-02.',
          pattern: '^20[0-9]{2}-(0[1-9]|1[0-2])$',
        },
        format: { type: 'string', title: 'Format', enum: ['csv', 'parquet', 'xlsx'], default: 'csv' },
        password: {
          type: 'string',
          title: 'Password for the archive',
          encryption: { algorithm: 'client-side', key: financePublicKey },
        },
      },
      required: ['month', 'password'],
      order: ['month', 'format', 'password'],
    },
    actionCardButtonText: 'Request',
  },
  invocationMethod: {
    type: 'KAFKA',
    payload: {
      run: '{{ .run.id }}',
      month: '{{ .inputs.month }}',
      format: '{{ .inputs.format }}',
      password: '{{ .inputs.password }}',
      requestedBy: '{{ .trigger.by.user.email }}',
    },
  },
  allowAnyoneToViewRuns: false,
};
