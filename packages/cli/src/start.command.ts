import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Start the server in this folder',
  usage: ['start'],
  details: [
    'It is set up by environment variables alone: PORT (3000), PORTOLAN_DATA_DIR (.portolan), DATABASE_URL and the others',
    'of the settings page. Ctrl-C stops it.',
  ],
  options: {},
  examples: ['PORTOLAN_DEMO=0 portolan start'],
  async run(_input, context) {
    await context.startServer();
    return exitCodes.ok;
  },
};
