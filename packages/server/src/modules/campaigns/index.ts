export { campaignRoutes } from './campaigns.routes.ts';
export { campaignTools } from './campaigns.tools.ts';
export { endExemptionsJob } from './end-exemptions.ts';
export { exemptionTools } from './exemptions.tools.ts';
export { mailReminderJob } from './mail-reminder.ts';
export { noteProgressJob } from './note-progress.ts';
export { remindOwnersJob } from './remind-owners.ts';
