"""A little work with each package of scientific Python that allocates in its own way; prints what
came out, which is the same in every run.

memory_packages.py FOLDER
"""

import hashlib
import sys
from pathlib import Path

import h5py
import numpy
import pandas
import pyarrow
import pyarrow.parquet
import scipy.linalg
import scipy.sparse
import scipy.sparse.linalg
from sklearn.cluster import KMeans
from sklearn.linear_model import LinearRegression

folder = Path(sys.argv[1])


def say(name: str, values: object) -> None:
    rounded = numpy.round(numpy.asarray(values, dtype=float), 6) + 0.0
    print(name, hashlib.sha256(rounded.tobytes()).hexdigest()[:16], flush=True)


random = numpy.random.default_rng(7)
matrix = random.random((300, 300))
say("numpy", numpy.sort(matrix @ matrix, axis=None)[::1000])
say("linalg", scipy.linalg.svdvals(matrix)[:10])
grid = scipy.sparse.diags([-1.0, 2.0, -1.0], [-1, 0, 1], shape=(5000, 5000), format="csc")
say("sparse", scipy.sparse.linalg.spsolve(grid, numpy.ones(5000))[::500])

table = pandas.DataFrame({"key": random.integers(0, 50, 100_000), "value": random.random(100_000)})
table["text"] = table["key"].astype(str)
say("pandas", table.groupby("text")["value"].sum().sort_index())

with h5py.File(folder / "file.h5", "w") as file:
    file.create_dataset("matrix", data=matrix, compression="gzip")
with h5py.File(folder / "file.h5") as file:
    say("h5py", file["matrix"][::30, ::30])

pyarrow.parquet.write_table(pyarrow.Table.from_pandas(table), folder / "file.parquet")
read = pyarrow.parquet.read_table(folder / "file.parquet").to_pandas()
say("pyarrow", read["value"][::1000])

features = random.random((2000, 8))
model = LinearRegression().fit(features, features.sum(axis=1))
say("regression", model.coef_)
clusters = KMeans(5, n_init=2, random_state=1).fit(features)
say("clusters", numpy.sort(clusters.cluster_centers_, axis=0))
