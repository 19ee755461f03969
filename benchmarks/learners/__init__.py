"""The learners side by side with the engines that the field uses: time, memory, speed, growth.

python3 -m benchmarks.learners --help
"""
