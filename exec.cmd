@rem Runs its arguments: the npm scripts begin with `exec`, which POSIX shells have built in and cmd.exe lacks.
@%*
