/** The outcome of the work, unless it takes longer: then whoever waits goes on without it. @throws Error saying so */
export async function withinMs<T>(work: Promise<T>, milliseconds: number, late: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(late)), milliseconds);
  });
  try {
    return await Promise.race([work, patience]);
  } finally {
    clearTimeout(timer);
  }
}
