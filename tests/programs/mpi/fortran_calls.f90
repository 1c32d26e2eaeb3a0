! Calls MPI as Fortran programs do; Python calls this by ctypes.
subroutine old_calls(n) bind(c)
  use iso_c_binding
  implicit none
  include 'mpif.h'
  integer(c_int), value :: n
  integer :: i, ierror, ranks, rank, status(MPI_STATUS_SIZE)
  double precision :: mine(100), sums(100), all(400)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierror)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierror)
  mine = 1
  do i = 1, n
    call MPI_Allreduce(mine, sums, 100, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierror)
    call MPI_Sendrecv(mine, 50, MPI_DOUBLE_PRECISION, mod(rank + 1, ranks), 5, &
                      sums, 50, MPI_DOUBLE_PRECISION, mod(rank + ranks - 1, ranks), 5, &
                      MPI_COMM_WORLD, status, ierror)
    call MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, all, 10, MPI_DOUBLE_PRECISION, &
                       MPI_COMM_WORLD, ierror)
  end do
end subroutine

subroutine new_calls(n) bind(c)
  use iso_c_binding
  use mpi_f08
  implicit none
  integer(c_int), value :: n
  integer :: i
  double precision :: mine(100)
  mine = 1
  do i = 1, n
    call MPI_Bcast(mine, 100, MPI_DOUBLE_PRECISION, 0, MPI_COMM_WORLD)
  end do
end subroutine
