/** What a token stands for is looked up again within a second, by whichever replica. */
export const announceMs = 1_500;

/** How long requests that were begun, and jobs, may go on when the server stops. */
export const requestsMs = 6_000;
export const jobsMs = 3_000;
/** How long connections may linger after the last run has ended. */
export const lingerMs = 500;
