// Kinds of waiting and the names of what is waited for, in words.

export const WAIT_KINDS = ['gil-wait', 'lock-wait', 'mpi', 'io', 'runnable', 'sleep', 'idle'] as const;
export type WaitKind = (typeof WAIT_KINDS)[number];

export function isWaitKind(text: string): text is WaitKind {
  return (WAIT_KINDS as readonly string[]).includes(text);
}

interface Words {
  readonly name: string;
  readonly object: string; // what is waited for
  readonly meaning: string;
}

export const KIND_WORDS: Readonly<Record<WaitKind, Words>> = {
  'gil-wait': {
    name: 'waiting for the GIL',
    object: 'the GIL',
    meaning:
      'Only one thread at a time runs Python code. Threads that compute in Python queue up here; processes, or libraries that release the GIL, do not.',
  },
  'lock-wait': {
    name: 'waiting for a lock',
    object: 'a lock',
    meaning: 'Another thread holds a lock, or has not yet put into a queue what this one takes out.',
  },
  mpi: {
    name: 'in MPI',
    object: 'MPI',
    meaning: 'Messages are on their way, or other ranks are late. The Ranks screen tells which.',
  },
  io: {
    name: 'input and output',
    object: 'input or output',
    meaning: 'Files, pipes and the network. Fewer and larger pieces wait less.',
  },
  runnable: {
    name: 'waiting for a CPU',
    object: 'a CPU',
    meaning: 'Ready to run, but other threads or programs had all CPUs: more threads than cores.',
  },
  sleep: {
    name: 'asleep',
    object: 'a pause to end',
    meaning: 'The program asked for a pause, as time.sleep does.',
  },
  idle: {
    name: 'idle',
    object: 'something to do',
    meaning: 'Waiting for other processes, or with nothing to do.',
  },
};

// Names in parentheses are what the recorder saw a thread wait in.
const SYSTEM_CALLS: Readonly<Record<string, string>> = {
  futex: 'a lock, a condition or a thread',
  semop: 'a semaphore',
  semtimedop: 'a semaphore',
  flock: 'a file that is locked',
  read: 'reading',
  readv: 'reading',
  pread64: 'reading a file',
  preadv: 'reading a file',
  write: 'writing',
  writev: 'writing',
  pwrite64: 'writing a file',
  pwritev: 'writing a file',
  open: 'opening a file',
  openat: 'opening a file',
  close: 'closing a file',
  stat: 'looking up a file',
  statx: 'looking up a file',
  getdents64: 'listing a folder',
  fsync: 'the disk',
  fdatasync: 'the disk',
  msync: 'the disk',
  sync: 'the disk',
  ftruncate: 'the disk',
  fallocate: 'the disk',
  sendfile: 'copying data',
  splice: 'copying data',
  copy_file_range: 'copying data',
  recvfrom: 'receiving from the network',
  recvmsg: 'receiving from the network',
  recvmmsg: 'receiving from the network',
  sendto: 'sending to the network',
  sendmsg: 'sending to the network',
  accept: 'a connection',
  accept4: 'a connection',
  connect: 'a connection',
  poll: 'a file or connection to become ready',
  ppoll: 'a file or connection to become ready',
  select: 'a file or connection to become ready',
  pselect6: 'a file or connection to become ready',
  epoll_wait: 'a file or connection to become ready',
  epoll_pwait: 'a file or connection to become ready',
  nanosleep: 'a pause to end',
  clock_nanosleep: 'a pause to end',
  pause: 'a signal',
  rt_sigsuspend: 'a signal',
  rt_sigtimedwait: 'a signal',
  wait4: 'a child process',
  waitid: 'a child process',
};

// "(futex)": "a lock, a condition or a thread (futex)"; names of functions stay as they are.
export function objectWords(name: string): string {
  const inner = /^\((.+)\)$/.exec(name)?.[1];
  if (inner === undefined) return name;
  if (inner === 'waiting for the GIL') return 'the GIL';
  if (inner === 'page fault') return 'memory that must be read first (page fault)';
  const words = Object.hasOwn(SYSTEM_CALLS, inner) ? SYSTEM_CALLS[inner] : undefined;
  return words === undefined ? inner : `${words} (${inner})`;
}
