import type { Command } from './command.ts';
import { exitCodes } from './exit-codes.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Start the server in this folder',
  usage: ['start [options]'],
  details: [
    'Everything is set up by environment variables: PORTOLAN_DATA_DIR (.portolan), DATABASE_URL and the others of the',
    'settings page. Ctrl-C stops it.',
  ],
  options: {
    port: {
      type: 'string',
      placeholder: 'port',
      description: 'where to listen; else PORT, else 3000; 0 takes a free one',
    },
  },
  async run(input, context) {
    const port = input.text('port');
    await context.startServer(port === undefined ? {} : { PORT: port });
    return exitCodes.ok;
  },
};
