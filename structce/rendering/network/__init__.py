"""The one door to the network: checked addresses, limited responses, downloads that resume.

No other module of the package opens connections: pages, their files and data sets all come
through :class:`structce.rendering.network.http.HttpClient`.
"""
