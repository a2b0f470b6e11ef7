import { people } from './people.ts';
import type { DemoPage } from './types.ts';
import { board, myTeams, rule, table, widget } from './widgets.ts';

const firstSteps = widget('first_steps', 'action-card-widget', 'What would you like to do?', {
  actions: [{ action: 'create_sandbox' }, { action: 'scaffold_service' }, { action: 'rollback_deployment' }],
});

const home: DemoPage = {
  page: {
    identifier: '$home',
    type: 'home',
    title: 'Home',
    icon: 'House',
    description: 'Everything at Halyard Freight that concerns you.',
    widgets: [
      board('home_board', [
        {
          height: 420,
          cells: [
            [6, firstSteps],
            [
              6,
              widget('ask_guide', 'ai-agent', 'Ask about our services', {
                agentIdentifier: 'service_guide',
                useMCP: true,
              }),
            ],
          ],
        },
        {
          height: 400,
          cells: [
            [4, widget('mine', 'my-entities', 'Mine', {})],
            [4, widget('recent', 'recently-viewed-entities', 'Where you were', {})],
            [4, widget('recent_actions', 'recently-used-actions', 'What you ran', {})],
          ],
        },
        {
          height: 480,
          cells: [
            [
              12,
              widget('at_a_glance', 'grouper', 'At a glance', {
                displayMode: 'tabs',
                activeGroupUrlParam: 'glance',
                groupsOrder: ['Open incidents', 'Open pull requests', 'Sandboxes'],
                groups: [
                  {
                    title: 'Open incidents',
                    icon: 'Siren',
                    widgets: [table('home_incidents', 'Open incidents', 'incident', [rule('status', '=', 'open')])],
                  },
                  {
                    title: 'Open pull requests',
                    icon: 'GitPullRequest',
                    widgets: [table('home_changes', 'Open pull requests', 'pullRequest', [rule('state', '=', 'open')])],
                  },
                  {
                    title: 'Sandboxes',
                    icon: 'FlaskConical',
                    widgets: [table('home_sandboxes', 'Sandboxes', 'devSandbox', [rule('expiresAt', 'isNotExpired')])],
                  },
                ],
              }),
            ],
          ],
        },
      ]),
    ],
  },
};

/** Private pages cannot hold the three widgets that only the home page has, and have no place in the shared sidebar. */
const dailyBoard: DemoPage = {
  createdBy: people.meiLin,
  page: {
    identifier: 'my_day',
    type: 'dashboard',
    title: 'My day',
    icon: 'Sunrise',
    visibility: 'private',
    widgets: [
      board('my_day_board', [
        {
          height: 420,
          cells: [
            [8, table('my_day_incidents', 'Incidents of my teams', 'incident', [myTeams, rule('status', '=', 'open')])],
            [4, { ...firstSteps, id: 'my_day_actions' }],
          ],
        },
      ]),
    ],
  },
};

export const homePages: DemoPage[] = [home, dailyBoard];
