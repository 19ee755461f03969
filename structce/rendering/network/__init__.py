"""All network access: checked addresses, limited responses, downloads.

No other module of the package opens connections: pages, their files and data sets are all fetched
by :class:`structce.rendering.network.http.HttpClient`.
"""
