// Boost.JSON, compiled once: the distribution's headers hold all of it, so that the executable
// needs no library beside it.
#include <boost/json/src.hpp>
