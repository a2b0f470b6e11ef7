/** A workflow that asks people before it does anything, so that its runs wait. */
export function waitingWorkflow(identifier: string, title = identifier) {
  return {
    identifier,
    title,
    allowAnyoneToViewRuns: true,
    nodes: [
      {
        identifier: 'form',
        title: 'Request',
        config: {
          type: 'SELF_SERVE_TRIGGER',
          published: true,
          userInputs: { properties: { why: { type: 'string', title: 'Why' } }, required: [], order: ['why'] },
          permissions: { roles: ['Member'] },
        },
      },
      {
        identifier: 'approval',
        title: 'Approval',
        config: {
          type: 'INPUT',
          description: 'May it go on?',
          userInputs: {
            properties: { reason: { type: 'string', title: 'Reason' } },
            required: [],
            buttons: [
              { identifier: 'approve', label: 'Approve', variant: 'PRIMARY' },
              { identifier: 'decline', label: 'Decline', variant: 'DANGER' },
            ],
          },
          outlets: [
            { identifier: 'approve', evaluationMethod: 'button', numOfResponders: 1 },
            { identifier: 'decline', evaluationMethod: 'button', numOfResponders: 1 },
          ],
          responders: { roles: ['Admin'] },
        },
      },
      { identifier: 'done', title: 'Done', config: { type: 'TRANSFORM', expression: '.outputs.trigger' } },
    ],
    connections: [
      { sourceIdentifier: 'form', targetIdentifier: 'approval' },
      { sourceIdentifier: 'approval', targetIdentifier: 'done', sourceOutletIdentifier: 'approve' },
    ],
  };
}
