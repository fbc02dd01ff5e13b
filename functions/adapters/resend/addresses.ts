/** The bare address of `Name <a@b>` or `a@b`, in lower case: display names are rewritten on the way, addresses are not. */
export function bareAddress(mailbox: string): string {
  const bracketed = /<([^<>]*)>\s*$/.exec(mailbox);
  return (bracketed?.[1] ?? mailbox).trim().toLowerCase();
}

/** A subject as one line: header folding may change its white space, and nothing else. */
export function oneLine(subject: string): string {
  return subject.replace(/\s+/g, ' ').trim();
}
